// Colours: those of the style sheet as they are now, light or dark, and series that colour-blind people tell apart.

// Okabe and Ito, without their yellow, which nobody sees on white
export const SERIES = {
  light: ["#0067a5", "#c24e00", "#00795c", "#8a4a8f", "#a07000", "#3f9ad1", "#444b54", "#b5447a"],
  dark: ["#6cb6f0", "#ff9a52", "#4fd0a8", "#d79bdc", "#e8c15a", "#9fd6ff", "#c3cad2", "#f08fb9"],
};
export const AXES = { x: "#d55e00", y: "#009e73", z: "#0072b2" };

const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const listeners = new Set();

/** Whether the page is dark now; paper never is. */
export const isDark = () => !root.classList.contains("printing") && (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
export const series = (k) => SERIES[isDark() ? "dark" : "light"][k % 8];
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

let probe;
/** A colour of the style sheet by its name. */
export function color(name) {
  probe ??= document.body.appendChild(Object.assign(document.createElement("span"), { hidden: true }));
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/** Listens until what comes back is called. */
export const onTheme = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const themeChanged = () => listeners.forEach((listener) => listener());
dark.addEventListener("change", themeChanged);

/** How much of something there is, none to all, as red, green, blue: from the pale of a link over amber to vermilion. */
export function amountColor(share) {
  const stops = [[0, [0.92, 0.94, 0.96]], [0.3, [0.97, 0.86, 0.58]], [0.65, [0.93, 0.6, 0.2]], [1, [0.76, 0.22, 0.0]]];
  return mixed(stops, share);
}

// Matplotlib's, in nine steps: brighter is more, for colour-blind people and on grey paper too.
export const VIRIDIS = [[0.267, 0.00487, 0.329], [0.279, 0.175, 0.483], [0.23, 0.322, 0.546], [0.173, 0.449, 0.558], [0.128, 0.567, 0.551], [0.158, 0.684, 0.502], [0.369, 0.789, 0.383], [0.678, 0.864, 0.19], [0.993, 0.906, 0.144]];
/** A share in the colours of filled contours, as red, green, blue. */
export const viridis = (share) => mixed(STEPS, share);
const STEPS = VIRIDIS.map((stop, k) => [k / (VIRIDIS.length - 1), stop]);

/** How far a load is from its limit, as red, green, blue in 0 to 1: blue, then sand, then vermilion beyond the limit. */
export function loadColor(share) {
  const stops = isDark()
    ? [[0, [0.35, 0.62, 0.86]], [0.7, [0.75, 0.75, 0.6]], [0.97, [0.95, 0.75, 0.25]], [1.0, [1.0, 0.45, 0.1]]]
    : [[0, [0.05, 0.4, 0.68]], [0.7, [0.45, 0.58, 0.55]], [0.97, [0.86, 0.62, 0.1]], [1.0, [0.82, 0.24, 0.0]]];
  return mixed(stops, share);
}

function mixed(stops, share) {
  if (!(share > 0)) return stops[0][1];
  for (let k = 1; k < stops.length; k++) {
    const [to, b] = stops[k], [from, a] = stops[k - 1];
    if (share <= to) return a.map((value, i) => value + ((b[i] - value) * (share - from)) / (to - from));
  }
  return stops.at(-1)[1];
}
