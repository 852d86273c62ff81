// The time that everything on the page shows. Moves only while it plays; whoever draws listens.

export class Clock {
  constructor(end) {
    Object.assign(this, { end, time: 0, speed: 1, loop: false, playing: false, until: null, peeked: null });
    this.listeners = new Set();
    this.changes = new Set(); // of playing, speed, loop
  }

  /** The time to be shown: where a pointer peeks, else where the clock stands. */
  get shown() {
    return this.peeked ?? this.time;
  }

  listen(listener) {
    this.listeners.add(listener);
    listener(this.shown, false);
  }

  #tell(moving) {
    for (const listener of this.listeners) listener(this.shown, moving);
  }

  #changed() {
    for (const change of this.changes) change();
  }

  set(time) {
    this.time = Math.min(Math.max(time, 0), this.end);
    this.peeked = null;
    this.#tell(this.playing);
  }

  /** Shows a time without going there; null goes back. */
  peek(time) {
    if (this.playing || time === this.peeked) return;
    this.peeked = time;
    this.#tell(true);
  }

  play(until = null) {
    this.until = until;
    if (this.playing || !this.end) return;
    if (this.time >= this.end) this.time = 0;
    this.playing = true;
    this.peeked = null;
    this.#changed();
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const next = this.time + (this.speed * Math.max(now - last, 0)) / 1000, stop = this.until ?? this.end;
      last = now;
      if (next >= stop && this.until == null && this.loop) this.time = (next - this.end) % this.end;
      else this.time = Math.min(next, stop);
      if (this.time >= stop) this.pause();
      else {
        this.#tell(true);
        requestAnimationFrame(tick);
      }
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    this.until = null;
    this.#changed();
    this.#tell(false);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  adjust(settings) {
    Object.assign(this, settings);
    this.#changed();
  }
}
