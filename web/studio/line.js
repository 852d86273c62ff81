// The line to the server: one WebSocket for all questions. It comes back by itself; what was asked meanwhile waits.

import { Reconnecting } from "../reconnecting.js";

export class Line {
  #next = 1;
  #open = new Map(); // questions that wait for their answers
  #socket;

  constructor(onState) {
    this.#socket = new Reconnecting("/api/live", {
      heard: (told) => this.#hear(told),
      opened: () => {
        onState("");
        for (const question of this.#open.values()) this.#socket.send(question.text); // nothing has an effect: asking again is safe
      },
      lost: () => onState("not connected; trying again"),
    });
  }

  #hear({ id, progress, status, answer }) {
    const question = this.#open.get(id);
    if (!question) return;
    if (progress !== undefined) return question.onProgress(progress);
    this.#open.delete(id);
    if (status === 200) question.resolve(answer);
    else question.reject(Object.assign(new Error(answer.error.text), answer.error, { status }));
  }

  /** A promise of the answer; its `cancel` ends the question. */
  ask(question, asked, onProgress = () => {}) {
    const id = this.#next++, text = JSON.stringify({ id, ask: question, with: asked });
    const promise = new Promise((resolve, reject) => this.#open.set(id, { resolve, reject, onProgress, text }));
    this.#socket.send(text);
    promise.cancel = () => this.#socket.send(JSON.stringify({ id, cancel: true }));
    return promise;
  }

  /** As if the network had gone. */
  drop() {
    this.#socket.drop();
  }

  /** Asks over and over while things move, one question at a time: of those that came meanwhile only the last. */
  latest(question, onAnswer, onFailure) {
    let busy = false, waiting = null;
    const go = async (asked) => {
      if (busy) return void (waiting = asked);
      busy = true;
      try {
        onAnswer(await this.ask(question, asked), asked);
      } catch (problem) {
        onFailure(problem);
      }
      busy = false;
      if (waiting) [asked, waiting] = [waiting, null], go(asked);
    };
    return go;
  }
}
