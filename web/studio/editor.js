// A plain editor: a text area with line numbers, and under it the same text with its mistakes underlined.

import { make } from "../making.js";

export class Editor {
  constructor(label, { onChange = () => {}, onRun = () => {}, low = false } = {}) {
    this.under = make("pre", { "aria-hidden": "true" });
    this.gutter = make("div", { class: "gutter", "aria-hidden": "true" });
    this.area = make("textarea", { spellcheck: false, wrap: "off", "aria-label": label, autocapitalize: "off", autocomplete: "off" });
    this.element = make("div", { class: low ? "editor low" : "editor" }, this.gutter, make("div", { class: "text" }, this.under, this.area));
    this.found = [];
    this.area.addEventListener("input", () => {
      this.found = [];
      this.verdicts = new Map();
      this.#draw();
      onChange(this.text);
    });
    this.area.addEventListener("scroll", () => this.#scroll());
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onRun();
    });
    this.verdicts = new Map();
    this.#draw();
  }

  get text() {
    return this.area.value;
  }

  set text(value) {
    this.area.value = value;
    this.found = [];
    this.verdicts = new Map();
    this.#draw();
  }

  /** Underlines what was found. */
  underline(found) {
    this.found = found;
    this.area.setAttribute("aria-invalid", String(found.some(({ severity }) => severity === "error")));
    this.#draw();
  }

  /** Colours the numbers of lines: "fine", "high" or "over". */
  colour(verdicts) {
    this.verdicts = verdicts;
    this.#draw();
  }

  /** Marks the line that runs. */
  mark(line) {
    this.gutter.querySelector(".running")?.classList.remove("running");
    const row = this.gutter.children[line - 1];
    row?.classList.add("running");
    if (!row || document.activeElement === this.area) return; // whoever types is not scrolled away
    const { scrollTop, clientHeight } = this.area;
    if (row.offsetTop < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight) this.area.scrollTop = row.offsetTop - 0.4 * clientHeight;
  }

  go(line, column = 1) {
    const before = this.text.split("\n").slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(before + column - 1, before + column - 1);
    this.area.scrollTop = Math.max((line - 6) * parseFloat(getComputedStyle(this.area).lineHeight), 0);
  }

  #draw() {
    const lines = this.text.split("\n"), byLine = Map.groupBy ? Map.groupBy(this.found, ({ line }) => line) : grouped(this.found);
    this.gutter.replaceChildren(...lines.map((_, k) => make("span", { class: this.verdicts.get(k + 1) ?? "" }, String(k + 1))));
    this.under.replaceChildren(...lines.flatMap((text, k) => [...underlined(text, byLine.get(k + 1) ?? []), "\n"]));
    this.#scroll();
  }

  #scroll() {
    this.under.scrollTop = this.gutter.scrollTop = this.area.scrollTop;
    this.under.scrollLeft = this.area.scrollLeft;
  }
}

const grouped = (found) => found.reduce((all, each) => all.set(each.line, [...(all.get(each.line) ?? []), each]), new Map());

/** A line in pieces: a mistake is underlined from its column to the end of its word. */
function underlined(text, found) {
  const pieces = [];
  let at = 0;
  for (const { column, severity } of [...found].sort((a, b) => a.column - b.column)) {
    const from = Math.min(Math.max(column - 1, at), text.length), word = /^(\w+|\S|\s*$)/.exec(text.slice(from))?.[0].length || 1;
    pieces.push(text.slice(at, from), make("u", { class: severity }, text.slice(from, from + word) || " "));
    at = from + word;
  }
  return [...pieces, text.slice(at)];
}
