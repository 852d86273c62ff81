// What came, row by row: the last minute, or from where the page was stopped on.

export const KEPT = 60; // s
const MOST = 100000; // rows, some ten minutes: however long the page stands still
const GAP = 0.5; // s without a row, after which curves begin anew

/** Where `time` is in rising numbers: the first that is not before it. */
export function firstAt(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class History {
  constructor() {
    this.clear();
  }

  clear() {
    this.time = [];
    this.columns = new Map();
  }

  get first() {
    return this.time[0] ?? 0;
  }

  get last() {
    return this.time.at(-1) ?? 0;
  }

  /** One row: numbers by the names of their columns, null for what is not known. A stream that begins anew begins anew here. */
  add(time, row) {
    if (time < this.last) this.clear();
    else if (time === this.last && this.time.length) return;
    if (this.time.length && time - this.last > GAP) this.#push(0.5 * (time + this.last), {});
    this.#push(time, row);
  }

  #push(time, row) {
    const many = this.time.push(time) - 1;
    for (const name in row) if (!this.columns.has(name)) this.columns.set(name, new Array(many).fill(null));
    for (const [name, column] of this.columns) column.push(row[name] ?? null);
  }

  /** Forgets what is older, now and then: `from` is what is still looked at. */
  trim(from = Infinity) {
    const over = Math.max(firstAt(this.time, Math.min(this.last - KEPT, from)), this.time.length - MOST);
    if (over < 600) return;
    this.time.splice(0, over);
    for (const column of this.columns.values()) column.splice(0, over);
  }

  /** Rows between two times, one more at either side so that curves reach the edges. */
  rows(from, to) {
    return [Math.max(firstAt(this.time, from) - 1, 0), Math.min(firstAt(this.time, to) + 1, this.time.length)];
  }

  slice(name, [begin, end]) {
    return this.columns.get(name)?.slice(begin, end) ?? new Array(end - begin).fill(null);
  }

  /** The row nearest to a time that has a posture. */
  near(time) {
    const { columns } = this, known = columns.get("tree 0");
    if (!known) return -1;
    let k = Math.min(firstAt(this.time, time), this.time.length - 1);
    while (k > 0 && (known[k] == null || this.time[k] > time + 1e-9)) k--;
    return k;
  }

  at(name, k) {
    return this.columns.get(name)?.[k] ?? null;
  }
}
