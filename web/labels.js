// Words and buttons that stand at places in space: plain elements over the canvas, so that they are sharp and readable.

import * as THREE from "three";
import { make } from "./making.js";

export class Labels {
  constructor(holder, camera) {
    this.box = holder.appendChild(make("div", { class: "labels" }));
    this.camera = camera;
    this.all = new Set();
  }

  /** An element that stays at a point, which is a THREE.Vector3 or gives one. */
  add(element, point) {
    const label = { element, point };
    element.classList.add("label");
    this.box.append(element);
    this.all.add(label);
    return label;
  }

  remove(label) {
    this.all.delete(label);
    label.element.remove();
  }

  place() {
    const { clientWidth: width, clientHeight: height } = this.box, at = new THREE.Vector3();
    if (!this.all.size) return;
    const shown = [...this.all].filter(({ element }) => !element.hidden).map((label) => {
      at.copy(typeof label.point === "function" ? label.point() : label.point).project(this.camera);
      const inside = at.z < 1 && Math.abs(at.x) < 1.02 && Math.abs(at.y) < 1.02;
      return { label, inside, x: 0.5 * (1 + at.x) * width, y: 0.5 * (1 - at.y) * height };
    });
    // sizes are read before anything is moved: one layout for all
    const sizes = shown.map(({ label }) => [label.element.offsetWidth, label.element.offsetHeight]);
    const taken = [];
    shown.forEach(({ label, inside, x, y }, k) => {
      const [wide, high] = sizes[k], { style } = label.element;
      style.visibility = inside ? "visible" : "hidden";
      if (!inside) return;
      if (label.element.matches(".beside")) {
        x = Math.min(x + 10, width - wide - 4);
        y = Math.min(Math.max(y - high / 2, 2), height - high - 2);
        // a label makes room for those before it, from the highest down
        for (const [a, b, c, d] of taken.sort((one, other) => one[1] - other[1])) if (x < c && x + wide > a && y < d && y + high > b) y = d + 1;
        y = Math.min(y, height - high - 2);
        taken.push([x, y, x + wide, y + high]);
      } else [x, y] = [x - wide / 2, y - high / 2];
      style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }
}
