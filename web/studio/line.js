// The line to the server: one WebSocket for all questions. It comes back by itself; what was asked meanwhile waits.

const LONGEST = 8000; // ms between attempts

export class Line {
  #next = 1;
  #open = new Map(); // questions that wait for their answers
  #socket = null;
  #wait = 250;

  constructor(onState) {
    this.onState = onState;
    this.#connect();
    addEventListener("online", () => this.#connect());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#connect());
  }

  #connect() {
    if (this.#socket && this.#socket.readyState < WebSocket.CLOSING) return;
    const socket = (this.#socket = new WebSocket(`ws://${location.host}/api/live`));
    socket.onopen = () => {
      this.#wait = 250;
      this.onState("");
      for (const question of this.#open.values()) socket.send(question.text); // nothing has an effect: asking again is safe
    };
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = () => {
      this.onState("not connected; trying again");
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST);
    };
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
    this.#send(text);
    promise.cancel = () => this.#send(JSON.stringify({ id, cancel: true }));
    return promise;
  }

  /** As if the network had gone. */
  drop() {
    this.#socket.close();
  }

  #send(text) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
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
