// The way of the tool through space: coloured by load, planned against reached, with marks where a limit is passed.

import * as THREE from "three";
import { make } from "./making.js";
import { color, loadColor, onTheme } from "./theme.js";

const SIDES = 3;
const MOST = { tube: 1500, thread: 360 }; // points; what moves is drawn by software in time with no more
const NEAR = 1.5e-3; // of the arm's size: points nearer to a straight line than this are left out

/** Indices of points that keep the shape of a path: none that was left out is further than `near` from what stays. */
function outline(points, near) {
  const [x, y, z] = points, kept = new Uint8Array(x.length), stack = [[0, x.length - 1]];
  kept[0] = kept[x.length - 1] = 1;
  while (stack.length) {
    const [a, b] = stack.pop(), way = [x[b] - x[a], y[b] - y[a], z[b] - z[a]], long = Math.hypot(...way);
    let far = near, at = -1;
    for (let k = a + 1; k < b; k++) {
      const d = [x[k] - x[a], y[k] - y[a], z[k] - z[a]], share = long ? Math.min(Math.max((d[0] * way[0] + d[1] * way[1] + d[2] * way[2]) / long ** 2, 0), 1) : 0;
      const off = Math.hypot(d[0] - share * way[0], d[1] - share * way[1], d[2] - share * way[2]);
      if (off > far) [far, at] = [off, k];
    }
    if (at >= 0) {
      kept[at] = 1;
      stack.push([a, at], [at, b]);
    }
  }
  return kept;
}

/** The points to draw: those of the outline, and those where the load changes visibly. */
function thinned(points, load, size) {
  const count = points[0].length, kept = outline(points, NEAR * size), found = [];
  for (let k = 0, last = 0; k < count; k++)
    if (kept[k] || (load && Math.abs(load[k] - load[last]) > 0.15)) {
      found.push(k);
      last = k;
    }
  return sparser(found, MOST.tube);
}

/** At most so many of them, the first and the last among them. */
function sparser(given, most) {
  const step = Math.ceil(given.length / most);
  return step > 1 ? given.filter((_, k) => k % step === 0 || k === given.length - 1) : given;
}

/** A thin tube through the points: thick enough to carry a colour, cheap enough for software. */
export function tube(places, r) {
  const corners = [], index = [], across = new THREE.Vector3(), up = new THREE.Vector3(0, 0, 1), way = new THREE.Vector3();
  places.forEach((place, k) => {
    way.subVectors(places[Math.min(k + 1, places.length - 1)], places[Math.max(k - 1, 0)]).normalize();
    if (way.lengthSq() < 0.5) way.set(1, 0, 0);
    across.crossVectors(way, Math.abs(way.z) < 0.95 ? up : new THREE.Vector3(1, 0, 0)).normalize();
    const over = new THREE.Vector3().crossVectors(way, across);
    for (let side = 0; side < SIDES; side++) {
      const c = r * Math.cos((2 * Math.PI * side) / SIDES), s = r * Math.sin((2 * Math.PI * side) / SIDES);
      corners.push(place.x + c * across.x + s * over.x, place.y + c * across.y + s * over.y, place.z + c * across.z + s * over.z);
      const at = SIDES * k + side, next = SIDES * k + ((side + 1) % SIDES);
      if (k + 1 < places.length) index.push(at, next, at + SIDES, at + SIDES, next, next + SIDES);
    }
  });
  const geometry = new THREE.BufferGeometry().setIndex(index);
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  return geometry;
}

export class Trail {
  constructor(view, paths, marks, { onMark }) {
    this.view = view;
    this.lines = paths.map((path) => this.#line(path)).filter(Boolean);
    for (const mark of marks) this.#mark(mark, onMark);
    onTheme(() => this.dress());
  }

  #line({ kind, points, load }) {
    const count = points[0].length, { size } = this.view.scene;
    if (count < 2) return null;
    const kept = thinned(points, load, size), places = kept.map((k) => new THREE.Vector3(points[0][k], points[1][k], points[2][k]));
    const planned = kind === "planned", material = new THREE.MeshBasicMaterial({ vertexColors: Boolean(load), side: THREE.DoubleSide });
    const line = new THREE.Mesh(tube(places, (planned ? 0.0038 : 0.002) * size), material);
    // between two kept points the largest load counts
    const most = load && kept.map((k, i) => load.subarray(k, Math.max(kept[i + 1] ?? 0, k + 1)).reduce((a, b) => Math.max(a, b), 0));
    const thread = new THREE.Line(new THREE.BufferGeometry().setFromPoints(sparser(places, MOST.thread)), new THREE.LineBasicMaterial({ vertexColors: Boolean(load) }));
    thread.visible = false; // of one pixel, for when frames must be cheap
    line.userData = { load: most, planned, thread };
    this.#paint(line);
    this.view.lightened.add((light) => {
      thread.visible = light;
      line.visible = !light;
    });
    this.view.world.add(line, thread);
    return line;
  }

  #paint({ geometry, material, userData: { load, planned, thread } }) {
    if (!load) {
      const shade = planned ? color("line") : color("given");
      material.color.setStyle(shade);
      thread.material.color.setStyle(shade);
      return;
    }
    const shades = load.map((share) => new THREE.Color().setRGB(...loadColor(share), THREE.SRGBColorSpace).toArray());
    const colors = (all) => new THREE.Float32BufferAttribute(all.flat(), 3);
    geometry.setAttribute("color", colors(shades.flatMap((shade) => Array(SIDES).fill(shade))));
    thread.geometry.setAttribute("color", colors(sparser(shades, MOST.thread)));
  }

  #mark(mark, onMark) {
    const button = make("button", { type: "button", class: "mark", title: mark.text, "aria-label": mark.text, onclick: () => onMark(mark) });
    this.view.labels.add(button, new THREE.Vector3(...mark.point));
  }

  dress() {
    this.lines.forEach((line) => this.#paint(line));
    this.view.render();
  }
}
