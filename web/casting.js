// The arm's shadow on the floor. A still picture has soft ones, on the arm too; what moves without a graphics card the arm
// itself, flattened along the light: a fraction of the work.

import * as THREE from "three";
import { roughly } from "./shapes.js";

/** The triangles of some meshes as one, in the axes of what holds them. */
function joined(meshes, known) {
  const places = [], order = [], at = new THREE.Vector3();
  for (const { matrix, userData: { shape } } of meshes) {
    const geometry = roughly(shape, known);
    const { position } = geometry.attributes, first = places.length / 3;
    for (let k = 0; k < position.count; k++) places.push(...at.fromBufferAttribute(position, k).applyMatrix4(matrix));
    const count = geometry.index?.count ?? position.count;
    for (let k = 0; k < count; k++) order.push(first + (geometry.index?.getX(k) ?? k));
  }
  return new THREE.BufferGeometry().setIndex(order).setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
}

export class FlatShadow extends THREE.Group {
  /** Of groups of shapes that move in the axes of `base`, on a floor at a height; light comes from a place towards another. */
  constructor(groups, known, base, height, from, to) {
    super();
    // shadows that lie over each other are no darker: of what is drawn there the darkest counts
    this.shade = new THREE.MeshBasicMaterial({
      color: "#000000", transparent: true, depthWrite: false, side: THREE.DoubleSide, forceSinglePass: true,
      blending: THREE.CustomBlending, blendEquation: THREE.MaxEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
    });
    const { x, y, z } = new THREE.Vector3().subVectors(from, to);
    this.matrixAutoUpdate = false;
    this.matrix.set(1, 0, -x / z, (x / z) * height, 0, 1, -y / z, (y / z) * height, 0, 0, 0, height, 0, 0, 0, 1).multiply(base);
    for (const group of groups) {
      const meshes = group.children.filter((mesh) => mesh.castShadow);
      if (!meshes.length) continue;
      const mesh = new THREE.Mesh(joined(meshes, known), this.shade);
      Object.assign(mesh, { matrixAutoUpdate: false, matrix: group.matrix, renderOrder: -2, frustumCulled: false });
      this.add(mesh);
    }
  }
}
