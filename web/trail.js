// The way of the tool through space: coloured by load, planned against reached, with marks where a limit is passed.

import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { make } from "./making.js";
import { color, loadColor, onTheme } from "./theme.js";

const MOST = 4000; // points of a path; more are thinned out

export class Trail {
  constructor(view, paths, marks, { onMark }) {
    this.view = view;
    this.lines = paths.map((path) => this.#line(path)).filter(Boolean);
    for (const mark of marks) this.#mark(mark, onMark);
    onTheme(() => this.dress());
  }

  #line({ kind, points, load }) {
    const count = points[0].length;
    if (count < 2) return null;
    const step = Math.ceil(count / MOST), kept = [];
    for (let k = 0; k < count; k += step) kept.push(k);
    const planned = kind === "planned", geometry = new LineGeometry();
    geometry.setPositions(kept.flatMap((k) => [points[0][k], points[1][k], points[2][k]]));
    const material = new LineMaterial({ linewidth: planned ? 3 : 1.6, vertexColors: planned && load != null, transparent: true, opacity: planned ? 0.95 : 0.8 });
    const line = new Line2(geometry, material), most = load && kept.map((k) => Math.max(...load.slice(k, k + step)));
    line.userData = { load: most, planned };
    this.#paint(line);
    this.view.world.add(line);
    return line;
  }

  #paint(line) {
    const { load, planned } = line.userData;
    if (load) line.geometry.setColors(load.flatMap((share) => new THREE.Color().setRGB(...loadColor(share), THREE.SRGBColorSpace).toArray()));
    else line.material.color.setStyle(planned ? color("line") : color("given"));
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
