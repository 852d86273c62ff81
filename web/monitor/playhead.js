// The time that the page shows: that of the stream, or one of the last minute where it was stopped.

export class Playhead {
  constructor(history) {
    Object.assign(this, { history, stopped: null, listeners: new Set() });
  }

  get live() {
    return this.stopped === null;
  }

  get time() {
    return this.stopped ?? this.history.last;
  }

  #set(stopped) {
    this.stopped = stopped;
    this.listeners.forEach((listener) => listener());
  }

  stop(time = this.history.last) {
    this.#set(Math.min(Math.max(time, this.history.first), this.history.last));
  }

  goLive() {
    this.#set(null);
  }

  toggle() {
    if (this.live) this.stop();
    else this.goLive();
  }

  /** To another row. */
  step(by) {
    const { history } = this;
    this.stop(history.time[Math.min(Math.max(history.near(this.time) + by, 0), history.time.length - 1)] ?? 0);
  }

  /** From and to of what plots show: what has just come, or what is about the moment that is looked at. */
  window(wide) {
    if (this.live) return [this.time - wide, this.time];
    const to = Math.min(this.time + 0.4 * wide, Math.max(this.history.last, this.time));
    return [to - wide, to];
  }
}
