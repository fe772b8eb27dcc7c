"use strict";
{
  const frames = [...document.querySelectorAll("iframe")];
  const links = [...document.querySelectorAll(".changes a[data-change]")];
  const tools = document.querySelector(".tools");
  let current = -1;
  const marks = (frame, number) => [...(frame.contentDocument?.querySelectorAll(`[data-tidemark-change="${number}"]`) ?? [])];
  const show = (number, end) => {
    for (const frame of frames) {
      frame.contentDocument?.querySelectorAll("[data-tidemark-now]").forEach((mark) => mark.removeAttribute("data-tidemark-now"));
      const found = marks(frame, number);
      const target = found.find((mark) => end && mark.dataset.tidemarkEnd === end) ?? found.find((mark) => mark.dataset.tidemark !== "link") ?? found[0];
      target?.setAttribute("data-tidemark-now", "");
      target?.scrollIntoView({ block: "center" });
    }
    for (const link of document.querySelectorAll("a[data-change]")) {
      link.setAttribute("aria-current", String(link.dataset.change === String(number)));
    }
    current = links.findIndex((link) => link.dataset.change === String(number));
  };
  const go = (step) => {
    const shown = links.filter((link) => link.offsetParent !== null);
    if (shown.length === 0) return;
    const at = shown.indexOf(links[current]);
    const next = shown[(at < 0 ? (step > 0 ? 0 : shown.length - 1) : at + step + shown.length) % shown.length];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    show(next.dataset.change);
  };
  const view = document.querySelector("[data-view]");
  const switchView = () => {
    const side = document.body.classList.toggle("side");
    view.setAttribute("aria-pressed", String(side));
    document.querySelector(".new iframe").contentDocument?.documentElement.classList.toggle("tidemark-side", side);
  };
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { n: () => go(1), j: () => go(1), p: () => go(-1), k: () => go(-1), s: view && switchView }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  };
  const ready = (frame) => {
    const inner = frame.contentDocument;
    if (!inner || inner.tidemarkReady) return;
    inner.tidemarkReady = true;
    inner.addEventListener("keydown", keys);
    inner.addEventListener("click", (event) => {
      const link = event.target.closest?.("[data-tidemark=link]");
      if (!link) return;
      event.preventDefault();
      show(link.dataset.tidemarkChange, link.dataset.tidemarkEnd === "to" ? "from" : "to");
    });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-change]");
    if (link) {
      event.preventDefault();
      show(link.dataset.change);
    }
  });
  document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => go(Number(button.dataset.go))));
  view?.addEventListener("click", switchView);
  document.addEventListener("keydown", keys);
  for (const frame of frames) {
    frame.addEventListener("load", () => ready(frame));
    ready(frame);
  }
  tools.hidden = false;
}
