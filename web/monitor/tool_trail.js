// Where the tool has just been, coloured by the load of the motor nearest to its limit.

import * as THREE from "three";
import { loadColor } from "../theme.js";
import { tube } from "../trail.js";

const LONG = 4; // s
const MOST = 120; // points
const EVERY = 4; // frames

export class ToolTrail {
  constructor(view, history) {
    Object.assign(this, { view, history, turn: 0 });
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    view.base.add(this.mesh);
  }

  follow(time, always = false) {
    if (this.turn++ % EVERY && !always) return;
    const { history } = this, [begin, end] = history.rows(time - LONG, time), places = [], shades = [];
    const known = [];
    for (let k = begin; k < end; k++) if (history.at("tool 0", k) != null && history.time[k] <= time) known.push(k);
    const step = Math.max(1, Math.ceil(known.length / MOST));
    for (let i = known.length - 1; i >= 0; i -= step) {
      const k = known[i], shade = new THREE.Color().setRGB(...loadColor(history.at("load", k)), THREE.SRGBColorSpace).toArray();
      places.push(new THREE.Vector3(...[0, 1, 2].map((axis) => history.at(`tool ${axis}`, k))));
      shades.push(...shade, ...shade, ...shade); // a tube has three sides
    }
    this.mesh.visible = places.length > 1;
    if (!this.mesh.visible) return;
    this.mesh.geometry.dispose();
    this.mesh.geometry = tube(places, 0.0032 * this.view.scene.size);
    this.mesh.geometry.setAttribute("color", new THREE.Float32BufferAttribute(shades, 3));
  }
}
