// What a layer over the arm is: made when first asked for, then shown and hidden.

import * as THREE from "three";
import { make } from "./making.js";

export class Layer {
  constructor(view) {
    Object.assign(this, { view, on: false, group: null });
  }

  set(on) {
    this.on = on;
    if (on && !this.group) {
      this.words = [];
      this.group = new THREE.Group();
      this.view.base.add(this.group);
      this.build();
    }
    if (this.group) this.group.visible = on;
    this.words?.forEach(({ element }) => (element.hidden = !on));
    if (on) this.pose?.();
    this.view.render();
  }

  /** A group that rides on a link, or on the base. */
  riding(link, ...objects) {
    const group = new THREE.Group();
    group.add(...objects);
    (link < 0 ? this.view.base : this.view.links[link]).add(group);
    (this.riders ??= []).push(group);
    return group;
  }

  word(text, object, className = "beside") {
    this.words.push(this.view.labels.add(make("span", { class: className }, text), () => object.getWorldPosition(new THREE.Vector3())));
  }

  get size() {
    return this.view.scene.size;
  }
}

/** A layer whose parts ride on links: shown or hidden, never moved. */
export class Riding extends Layer {
  set(on) {
    super.set(on);
    this.riders?.forEach((rider) => (rider.visible = on));
  }
}
