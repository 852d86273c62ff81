// How late the page is: from the arrival of the oldest sample in a frame until the frame is drawn.

const OVER = 5; // s

export class Latency {
  constructor() {
    this.drawn = []; // [when, how late] in s
  }

  /** `arrived` is on the calendar's clock: page and server are on one computer. */
  take(arrived, now = Date.now() / 1000) {
    this.drawn.push([now, now - arrived]);
    while (this.drawn[0][0] < now - OVER) this.drawn.shift();
  }

  /** Median and worst of the last seconds in s, and frames a second; null before there are some. */
  figures(now = Date.now() / 1000) {
    const recent = this.drawn.filter(([at]) => at >= now - OVER);
    if (!recent.length) return null;
    const late = recent.map(([, each]) => each).sort((a, b) => a - b), span = Math.max(now - recent[0][0], 1e-3);
    return { median: late[late.length >> 1], worst: late.at(-1), rate: recent.length > 1 ? (recent.length - 1) / Math.max(recent.at(-1)[0] - recent[0][0], 1e-3) : recent.length / span };
  }
}
