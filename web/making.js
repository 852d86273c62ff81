// Elements from plain text: nothing that comes from an arm or a program is ever read as markup.

/** An element with properties (class, aria-label and data-* as attributes) and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && !/^(aria|data|list$|role$)/.test(key)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A number as people read it: few digits, no exponents for everyday sizes. */
export function number(value) {
  if (value == null || Number.isNaN(value)) return "\u2013";
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 1 ? value.toFixed(2) : size === 0 ? "0" : size >= 1e-3 ? value.toPrecision(3) : value.toExponential(1);
}

const DEGREES = 180 / Math.PI;
/** A joint position as it is shown: degrees or millimetres. */
export const shown = { rad: { factor: DEGREES, unit: "\u00b0", digits: 1 }, m: { factor: 1000, unit: " mm", digits: 1 } };
