// How fine a view is drawn. A still picture is drawn finer than the screen, which smooths its edges; what moves as fine as
// 30 frames a second allow, without a graphics card too.

const STILL = 2; // pixels drawn for one on the screen, along each side
const MOVING = { start: 1, least: 0.6, most: 2 };
const LIGHT = 0.8; // from which on the view is asked to leave out what is dear
const FAST = 17, SLOW = 30; // ms from frame to frame
const RESTS = 250; // ms without a frame

export class Pace {
  /** Of a view: `view.refine(ratio, light)` is told how fine to draw, `view.paint()` draws. */
  constructor(view) {
    Object.assign(this, { view, ratio: STILL, moving: MOVING.start, light: false, taking: null });
  }

  /** A frame was asked for. */
  ask() {
    this.askedAt ??= performance.now();
  }

  /** A frame was drawn: the next is drawn as fine as there is time for; the last one in full. */
  drawn() {
    const now = performance.now(), took = now - (this.drawnAt ?? -Infinity);
    const moves = (this.askedAt ?? now) - (this.drawnAt ?? -Infinity) < RESTS; // however long the frame itself took
    this.drawnAt = now;
    this.askedAt = null;
    clearTimeout(this.settling);
    if (moves) this.#adapt(took);
    if (this.ratio !== STILL || this.light) this.settling = setTimeout(() => this.settle(), RESTS);
  }

  #adapt(took) {
    this.taking = 0.7 * (this.taking ?? took) + 0.3 * Math.min(took, 120);
    let ratio = this.moving;
    if (this.taking > SLOW) ratio = Math.max(0.8 * ratio, MOVING.least);
    else if (this.taking < FAST) ratio = Math.min(1.1 * ratio, MOVING.most);
    if (ratio !== this.moving) this.taking = 0.5 * (FAST + SLOW); // wait and see what that did
    this.moving = ratio;
    this.#draw(ratio, this.light || ratio <= LIGHT); // and stays so until it rests: shadows that come and go are worse
  }

  /** Nothing moves any more. */
  settle() {
    this.taking = null;
    this.#draw(STILL, false);
    this.view.paint();
  }

  #draw(ratio, light) {
    if (ratio === this.ratio && light === this.light) return;
    Object.assign(this, { ratio, light });
    this.view.refine(ratio, light);
  }
}
