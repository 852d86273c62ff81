// A WebSocket to the page's own server that comes back by itself: after a closed lid, a lost network, a server that stood still.

const FIRST = 250, LONGEST = 8000; // ms between attempts

export class Reconnecting {
  #socket = null;
  #wait = FIRST;
  #over = false;

  /** `heard` is told every message, `opened` every new connection, `lost` every end of one. */
  constructor(path, { heard, opened = () => {}, lost = () => {} }) {
    Object.assign(this, { path, heard, opened, lost });
    this.#connect();
    addEventListener("online", () => this.#connect());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#connect());
  }

  #connect() {
    if (this.#over || (this.#socket && this.#socket.readyState < WebSocket.CLOSING)) return;
    const socket = (this.#socket = new WebSocket(`ws://${location.host}${this.path}`));
    socket.onopen = () => {
      this.#wait = FIRST;
      this.opened();
    };
    socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
    socket.onclose = () => {
      if (this.#over) return;
      this.lost();
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST);
    };
  }

  send(text) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** As if the network had gone. */
  drop() {
    this.#socket.close();
  }

  /** For good. */
  end() {
    this.#over = true;
    this.#socket.close();
  }
}
