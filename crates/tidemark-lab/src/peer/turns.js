
// What follows is the same as turns.py, for Node.js.
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const script = new vm.Script("clocked()"); // only to have a time limit, which takes a thread to watch: the clock runs inside

function measured(old, younger, seconds) {
  globalThis.clocked = () => {
    const start = process.hrtime.bigint();
    globalThis.made = job(old, younger);
    return process.hrtime.bigint() - start;
  };
  try {
    return script.runInThisContext({ timeout: seconds * 1000 });
  } catch (error) {
    if (error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  }
}

function turns(folder, limit) {
  const read = (ending) =>
    fs.readdirSync(folder).filter((name) => name.endsWith(ending)).sort()
      .map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
  const [olds, news] = [read(".old"), read(".new")];
  const givenUp = new Set();
  require("readline").createInterface({ input: process.stdin }).on("line", () => {
    const answers = olds.map((old, number) => {
      const took = givenUp.has(number) ? null : measured(old, news[number], limit);
      if (took === null) givenUp.add(number);
      return took === null ? "-" : String(took);
    });
    console.log(answers.join(" "));
  });
}

const [first, second] = process.argv.slice(-2);
if (fs.statSync(first).isDirectory()) turns(first, Number(second));
else console.log(job(fs.readFileSync(first, "utf8"), fs.readFileSync(second, "utf8")).length);
