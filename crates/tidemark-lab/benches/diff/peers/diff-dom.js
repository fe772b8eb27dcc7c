// diff-dom: two pages as strings, read by its own parser, to a list of actions.
const { DiffDOM } = require("diff-dom");

function job(old, younger) {
  return new DiffDOM().diff(old, younger);
}
