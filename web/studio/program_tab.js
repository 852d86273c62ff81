// A robot program: typed with its mistakes underlined, checked, changed, compared with how it was.

import { make, number } from "../making.js";
import { unpack, unpackAll } from "../packing.js";
import { Overlay, Plots } from "../plots.js";
import { Editor } from "./editor.js";
import { Job } from "./job.js";
import { save, showRecipe } from "./recipe.js";

const EMPTY = ".PROGRAM new\nMOVE PPOINT(0, -90, 90, 0, 0, 0)\n.END\n";
const PAUSE = 250; // ms without a key before the text is looked at

export class ProgramTab {
  title = "Program";

  constructor({ line, stage, fail, start }) {
    Object.assign(this, { line, stage, fail, checked: null, name: start.program?.name ?? "program" });
    this.editor = new Editor("robot program", { onChange: () => this.look(), onRun: () => this.check() });
    this.editor.text = start.program?.text ?? EMPTY;
    this.language = make("select", { "aria-label": "language", onchange: () => this.look() }, make("option", { value: "" }, "language as it looks"),
      ...start.languages.map(({ name }) => make("option", { value: name }, name)));
    this.file = make("input", { type: "file", accept: start.languages.flatMap(({ suffixes }) => suffixes).join(","), "aria-label": "open a program", onchange: () => this.#open() });
    const field = (label, word, value) => make("label", {}, `${label} `, (this[word] = make("input", { type: "number", min: 0, step: "any", placeholder: value, "aria-label": label })));
    this.job = new Job(line, "Check", { fail: (problem) => this.#failed(problem), onAnswer: (answer, asked) => this.#show(answer, asked) });
    this.job.start.addEventListener("click", () => this.check());
    this.compareJob = new Job(line, "Compare with the check before", { fail, onAnswer: (answer) => this.#compared(answer) });
    this.compareJob.start.addEventListener("click", () => this.compare());
    this.compareJob.start.disabled = true;
    this.exportJob = new Job(line, "", { fail, onAnswer: save });
    const exports = [["html", "Report"], ["csv", "CSV"], ["json", "JSON"]].map(([to, title]) =>
      make("button", { type: "button", onclick: () => this.exportJob.ask("export", { to, check: this.asked() }) }, title));
    this.found = make("ul", { class: "found", "aria-label": "mistakes and notes" });
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.problems = make("ol", { class: "problems" });
    this.overlay = make("div", {});
    this.comparison = make("div", { class: "wide" });
    this.element = make("div", {}, this.editor.element, this.found,
      make("div", { class: "options" }, this.language, field("payload kg", "payload", "own"), field("times speed", "speed", "1"), field("times acceleration", "acceleration", "1"), make("label", { class: "button" }, "Open a program", this.file)),
      make("div", { class: "options" }, this.job.element, this.compareJob.element, ...exports, this.exportJob.said),
      this.verdict, this.problems, this.comparison, this.overlay);
    this.diagnose = line.latest("diagnose", (answer) => this.#underline(answer), fail);
    this.look(0);
  }

  opened() {}

  async #open() {
    const [file] = this.file.files;
    if (!file) return;
    this.name = file.name;
    this.editor.text = await file.text();
    this.look(0);
  }

  /** Looks at the text once the keys rest. */
  look(after = PAUSE) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.diagnose(this.text()), after);
  }

  text() {
    return { text: this.editor.text, name: this.name, language: this.language.value || null };
  }

  asked() {
    const given = (field, usual) => (field.value === "" ? usual : +field.value);
    return { arm: this.stage.about.arm, ...this.text(), payload: given(this.payload, null), speed: given(this.speed, 1), acceleration: given(this.acceleration, 1) };
  }

  #underline(answer) {
    this.diagnostics = answer.diagnostics;
    this.editor.underline(answer.diagnostics);
    this.found.replaceChildren(...answer.diagnostics.slice(0, 30).map(({ severity, line, column, text, hint }) =>
      make("li", { class: severity }, make("button", { type: "button", onclick: () => this.editor.go(line, column) },
        `${severity === "error" ? "\u2717" : severity === "warning" ? "!" : "\u00b7"} line ${line}: ${text}${hint ? `; ${hint}` : ""}`))));
    if (!this.element.hidden) showRecipe(answer);
  }

  #failed(problem) {
    this.fail(problem);
    if (problem?.line) this.editor.underline([...(this.diagnostics ?? []), { severity: "error", line: problem.line, column: problem.column ?? 1 }]);
  }

  check() {
    this.comparison.replaceChildren();
    return this.job.ask("check", this.asked());
  }

  compare() {
    return this.compareJob.ask("compare", { before: this.before ?? this.checked, after: this.asked() });
  }

  async #show(answer, asked) {
    [this.before, this.checked, this.document] = [this.checked, asked, answer.document];
    this.compareJob.start.disabled = !this.checked;
    await this.#draw(answer);
    showRecipe(answer);
  }

  async #draw({ document: verdict, data }) {
    this.verdict.className = `verdict ${verdict.feasible ? "yes" : "no"}`;
    this.verdict.textContent = `${verdict.feasible ? "\u2713" : "\u2717"} ${verdict.verdict}`;
    this.problems.replaceChildren(...verdict.problems.slice(0, 20).map(({ line, text }) =>
      make("li", {}, make("button", { type: "button", onclick: () => this.editor.go(line) }, `line ${line}`), make("span", {}, text))));
    this.editor.colour(new Map(data.lines.map(({ line, verdict: how }) => [line, how])));
    const motions = await Promise.all(data.motions.map(async ({ label, time, joints }) => ({ label, time: await unpack(time), joints: await unpackAll(joints) })));
    const paths = await Promise.all(data.paths.map(async ({ points, load, ...rest }) => ({ ...rest, points: await unpackAll(points), load: load && (await unpack(load)) })));
    const clock = await this.stage.play({ ...data, motions, paths }, (line) => this.editor.go(line));
    if (!clock) return;
    const spans = data.lines.flatMap(({ line, spans }) => spans.map(([from, to]) => ({ line, from, to }))).sort((a, b) => a.from - b.from);
    clock.listen((t) => this.editor.mark(spans.findLast(({ from }) => from <= t + 1e-9)?.line ?? 0));
    this.plots?.close();
    this.overlay.replaceChildren();
    const plots = (this.plots = new Plots(data, clock));
    await plots.unpackTime();
    new Overlay(this.overlay, plots);
  }

  async #compared({ before, after, longer, lines, data, ...recipe }) {
    await this.#draw({ document: after, data });
    const share = (value) => (value == null ? "\u2013" : `${(100 * value).toFixed(0)} %`);
    const row = (...cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
    const word = ({ feasible }) => (feasible ? "feasible" : "not feasible");
    this.comparison.replaceChildren(make("table", { class: "compare" },
      make("thead", {}, make("tr", {}, ...["", "before", "after"].map((title) => make("th", { scope: "col" }, title)))),
      make("tbody", {}, row("verdict", word(before), word(after)), row("time", `${number(before.time)} s`, `${number(after.time)} s (${longer >= 0 ? "+" : ""}${longer.toFixed(2)} s)`),
        ...lines.map(({ line, before: one, after: other }) => row(`line ${line}, most torque`, share(one), share(other))))));
    this.compared = { before, after, longer };
    showRecipe(recipe);
  }
}
