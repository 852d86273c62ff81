// Points in space, coloured by a number each: what an arm can where its tool is. A plane cuts the cloud open.

import * as THREE from "three";
import { make, number } from "./making.js";
import { VIRIDIS, viridis } from "./theme.js";

const AXES = ["x", "y", "z"];
const HALF = 1000; // steps of the slider to either side

/** A ball seen from anywhere, as a picture of one: a thousand balls of triangles would be too many to draw in time. */
function ballPicture() {
  const size = 64, canvas = Object.assign(document.createElement("canvas"), { width: size, height: size }), pen = canvas.getContext("2d");
  const shade = pen.createRadialGradient(0.4 * size, 0.36 * size, 0, 0.5 * size, 0.5 * size, 0.5 * size);
  shade.addColorStop(0, "#fff");
  shade.addColorStop(1, "#aaa");
  pen.fillStyle = shade;
  pen.arc(0.5 * size, 0.5 * size, 0.5 * size, 0, 2 * Math.PI);
  pen.fill();
  return new THREE.CanvasTexture(canvas);
}

/** The cloud around the arm; in `panel` what is shown of it is chosen. */
export class Cloud {
  constructor(view, clouds, holder, panel) {
    Object.assign(this, { view, clouds, axis: 1, cutting: true, shares: [0.5, 0.5, 0.5], plane: new THREE.Plane() });
    const all = clouds[0].points;
    this.low = all.map((own) => own.reduce((a, b) => Math.min(a, b), Infinity));
    this.high = all.map((own) => own.reduce((a, b) => Math.max(a, b), -Infinity));
    this.material = new THREE.PointsMaterial({ vertexColors: true, map: ballPicture(), alphaTest: 0.5, toneMapped: false, clippingPlanes: [this.plane] });
    this.dots = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.dots.geometry.setAttribute("position", new THREE.Float32BufferAttribute(interleaved(all), 3));
    this.dots.frustumCulled = false;
    view.renderer.localClippingEnabled = true;
    view.base.add(this.dots);
    view.endings.push(() => this.dots.geometry.dispose(), () => this.material.dispose());
    this.key = make("div", { class: "key" });
    holder.append(this.key);
    this.#controls(panel);
    this.#frame();
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(...AXES.map((_, i) => ((k >> i) & 1 ? this.high : this.low)[i])).applyMatrix4(view.base.matrix).toArray());
    view.keepInSight(corners);
    this.show(0);
    this.cut();
  }

  /** A box around it, with what its edges are. */
  #frame() {
    const { view, low, high } = this, middle = low.map((a, k) => 0.5 * (a + high[k])), edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(...low.map((a, k) => high[k] - a)));
    const box = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: "#8a8f95", transparent: true, opacity: 0.5 }));
    box.position.set(...middle);
    view.base.add(box);
    const beside = [[middle[0], low[1], low[2]], [high[0], middle[1], low[2]], [low[0], low[1], middle[2]]];
    AXES.forEach((name, k) => {
      const said = make("span", { class: "beside numbers" }, `${name} ${metres(low[k])} to ${metres(high[k])} m`);
      view.labels.add(said, new THREE.Vector3(...beside[k]).applyMatrix4(view.base.matrix));
    });
  }

  #controls(panel) {
    const choice = make("select", { id: "cloud-by", "aria-label": "coloured by", onchange: () => this.show(choice.selectedIndex) }, ...this.clouds.map(({ name }) => make("option", {}, name)));
    this.across = make("select", { id: "cloud-cut", "aria-label": "cut across", onchange: () => {
      this.cutting = this.across.selectedIndex < 3;
      if (this.cutting) this.axis = this.across.selectedIndex;
      this.cut();
    } }, ...AXES.map((name) => make("option", {}, `cut across ${name}`)), make("option", {}, "not cut"));
    this.across.selectedIndex = this.axis;
    this.slider = make("input", { type: "range", id: "cloud-at", min: 0, max: 2 * HALF, step: 1, "aria-label": "where it is cut", oninput: () => this.cut(+this.slider.value / (2 * HALF)) });
    this.said = make("output", {});
    panel.append(make("label", { class: "slider" }, this.across, this.slider, this.said));
    if (this.clouds.length > 1) panel.append(make("label", { class: "row" }, "coloured by", choice));
  }

  /** Coloured by one of its quantities: from the least to the most that is not far outside, as the key says. */
  show(k) {
    const { name, unit, values, size, ends: [low, high] } = this.clouds[k], colors = new Float32Array(3 * values.length), shade = new THREE.Color();
    values.forEach((value, i) => shade.setRGB(...viridis((value - low) / (high - low || 1)), THREE.SRGBColorSpace).toArray(colors, 3 * i));
    this.dots.geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
    this.material.size = size / Math.tan((Math.PI / 360) * this.view.camera.fov); // three takes points for seen under 90 degrees
    const bar = make("i", { class: "amounts" });
    bar.style.background = `linear-gradient(90deg, ${VIRIDIS.map((stop) => `rgb(${stop.map((c) => Math.round(255 * c)).join(" ")})`).join(", ")})`;
    this.key.replaceChildren(`${name} ${number(low)}`, bar, `${number(high)} ${unit}`.trim());
    this.view.render();
  }

  /** What is on the near side of a plane, seen from the corner, is cut away: at a share of the cloud's width. */
  cut(share = this.shares[this.axis]) {
    const { axis, plane, cutting } = this;
    this.slider.hidden = this.said.hidden = !cutting;
    this.material.clippingPlanes = cutting ? [plane] : [];
    this.shares[axis] = share;
    const at = this.low[axis] + share * (this.high[axis] - this.low[axis]), keepAbove = axis === 1; // the corner is at +x, -y, +z
    plane.normal.set(0, 0, 0).setComponent(axis, keepAbove ? 1 : -1);
    plane.constant = keepAbove ? -at : at;
    plane.applyMatrix4(this.view.base.matrix);
    this.slider.value = 2 * HALF * share;
    this.said.textContent = `${AXES[axis]} ${metres(at)} m`;
    this.view.render();
  }
}

const metres = (value) => value.toFixed(2).replace(/^-(?=[0.]+$)/, ""); // no minus before nothing

function interleaved(columns) {
  const found = new Float32Array(columns.length * columns[0].length);
  columns.forEach((own, i) => own.forEach((value, k) => (found[columns.length * k + i] = value)));
  return found;
}
