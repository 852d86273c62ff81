// A question that takes its time: a button that asks, says how far it is, and can be taken back.

import { make } from "../making.js";

export class Job {
  constructor(line, title, { fail, onAnswer }) {
    Object.assign(this, { line, fail, onAnswer, running: null });
    this.start = make("button", { type: "button" }, title);
    this.stop = make("button", { type: "button", hidden: true, onclick: () => this.running?.cancel() }, "Cancel");
    this.said = make("span", { class: "progress", role: "status" });
    this.element = make("span", { class: "row" }, this.start, this.stop, this.said);
  }

  async ask(question, asked) {
    if (this.running) return null;
    this.fail(null);
    this.start.disabled = true;
    this.stop.hidden = false;
    this.said.textContent = "asking";
    try {
      this.running = this.line.ask(question, asked, (text) => (this.said.textContent = text));
      const answer = await this.running;
      await this.onAnswer(answer, asked);
      return answer;
    } catch (problem) {
      this.fail(problem);
      return null;
    } finally {
      this.running = null;
      this.start.disabled = false;
      this.stop.hidden = true;
      this.said.textContent = "";
    }
  }
}
