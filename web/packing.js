// Curves and bytes as torsor/report/packing.py packs them.

const NOTHING = 0xffff;

/** Bytes of a deflated text. */
export async function inflate(text) {
  const raw = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** The numbers of a curve, NaN where there is none. */
export async function unpack({ from, step, count, data }) {
  const planes = new Uint8Array(await inflate(data));
  const values = new Float64Array(count);
  for (let k = 0, whole = 0; k < count; k++) {
    const folded = planes[k] | (planes[count + k] << 8);
    const change = folded & 1 ? -((folded + 1) >> 1) : folded >> 1;
    whole = (whole + change) & 0xffff;
    values[k] = whole === NOTHING ? NaN : from + step * whole;
  }
  return values;
}

export const unpackAll = (curves) => Promise.all(curves.map(unpack));

/** Index of the last time that is not after t. */
export function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Values at a time, along straight lines between samples. */
export function between(times, curves, t) {
  const k = indexAt(times, t), next = Math.min(k + 1, times.length - 1);
  const span = times[next] - times[k];
  const share = span > 0 ? Math.min(Math.max((t - times[k]) / span, 0), 1) : 0;
  return curves.map((curve) => curve[k] + share * (curve[next] - curve[k]));
}

/** A curve at other times, along straight lines between samples; nothing beyond its ends. */
export function spread(times, values, at) {
  const found = new Float64Array(at.length).fill(NaN);
  for (let k = 0, i = 0; i < at.length && times.length; i++) {
    if (at[i] < times[0] || at[i] > times.at(-1)) continue;
    while (k + 1 < times.length && times[k + 1] <= at[i]) k++;
    const next = Math.min(k + 1, times.length - 1), span = times[next] - times[k];
    found[i] = span > 0 ? values[k] + ((at[i] - times[k]) / span) * (values[next] - values[k]) : values[k];
  }
  return found;
}
