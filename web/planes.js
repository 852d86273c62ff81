// Torque against speed of each motor: what it can give, what it is asked for, and where it is now.

import { make } from "./making.js";
import { between } from "./packing.js";
import { color, onTheme } from "./theme.js";

const RPM = 30 / Math.PI, WIDE = 250, HIGH = 190, LEFT = 40, BELOW = 26, AIR = 8;

function isInside([x, y], polygon) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i], [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

class Plane {
  constructor(holder, { motor, curve, speed, torque, unit = "N m" }, times) {
    Object.assign(this, { curve, speed, torque, times });
    this.canvas = make("canvas", { role: "img", "aria-label": `torque of ${motor} against its speed` });
    this.dot = make("i", { class: "dot" });
    holder.append(make("figure", { class: "plane" }, make("h3", {}, motor, make("small", {}, `${unit} over rpm`)), make("div", {}, this.canvas, this.dot)));
    const reach = (k, more) => 1.08 * Math.max(...curve.map((point) => Math.abs(point[k])), more.reduce((most, v) => Math.max(most, Math.abs(v) || 0), 0), 1e-9);
    [this.fast, this.strong] = [reach(0, speed), reach(1, torque)];
    // as in textbooks, speed to the right and torque up
    this.x = (v) => LEFT + ((WIDE - LEFT - AIR) * (v / this.fast + 1)) / 2;
    this.y = (v) => AIR + ((HIGH - BELOW - AIR) * (1 - v / this.strong)) / 2;
    this.draw();
  }

  draw() {
    const ratio = Math.max(devicePixelRatio, 2), { canvas, x, y } = this, pen = canvas.getContext("2d");
    Object.assign(canvas, { width: WIDE * ratio, height: HIGH * ratio });
    pen.scale(ratio, ratio);
    const path = (points, close = false) => {
      pen.beginPath();
      points.forEach(([a, b], k) => (k ? pen.lineTo(x(a), y(b)) : pen.moveTo(x(a), y(b))));
      if (close) pen.closePath();
    };
    if (this.curve.length) {
      path(this.curve, true);
      pen.fillStyle = color("fine");
      pen.globalAlpha = 0.45;
      pen.fill();
      pen.globalAlpha = 1;
      pen.strokeStyle = color("limit");
      pen.setLineDash([5, 3]);
      pen.stroke();
      pen.setLineDash([]);
    }
    pen.strokeStyle = color("rule");
    path([[-this.fast, 0], [this.fast, 0]]);
    pen.stroke();
    path([[0, -this.strong], [0, this.strong]]);
    pen.stroke();
    this.#trace(pen);
    this.#scale(pen);
  }

  /** The trace, darker where it is outside of what the motor gives. */
  #trace(pen) {
    const { speed, torque, x, y, curve } = this, step = Math.ceil(speed.length / 6000);
    const outside = new Path2D(), inside = new Path2D();
    for (let k = step; k < speed.length; k += step) {
      const beyond = curve.length && !isInside([0.999 * speed[k], 0.999 * torque[k]], curve), path = beyond ? outside : inside;
      path.moveTo(x(speed[k - step]), y(torque[k - step]));
      path.lineTo(x(speed[k]), y(torque[k]));
    }
    pen.lineWidth = 1;
    pen.strokeStyle = color("line");
    pen.stroke(inside);
    pen.lineWidth = 2.2;
    pen.strokeStyle = color("over");
    pen.stroke(outside);
  }

  #scale(pen) {
    const round = (v) => (v >= 100 ? v.toFixed(0) : v.toPrecision(2));
    pen.fillStyle = color("soft");
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const share of [-0.9, 0, 0.9]) pen.fillText(share ? (share < 0 ? "\u2212" : "") + round(0.9 * this.strong) : "0", LEFT - 5, this.y(share * this.strong));
    pen.textAlign = "center";
    for (const share of [-0.85, 0, 0.85]) pen.fillText(share ? (share < 0 ? "\u2212" : "") + round(0.85 * this.fast * RPM) : "0", this.x(share * this.fast), HIGH - 11);
  }

  at(t) {
    const [speed, torque] = between(this.times, [this.speed, this.torque], t);
    this.dot.style.transform = `translate(${this.x(speed).toFixed(1)}px, ${this.y(torque).toFixed(1)}px)`;
  }
}

export function addPlanes(holder, planes, times, clock) {
  const all = planes.map((plane) => new Plane(holder, plane, times));
  onTheme(() => all.forEach((plane) => plane.draw()));
  clock.listen((t) => all.forEach((plane) => plane.at(t)));
}
