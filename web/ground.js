// The floor: a fine grid that fades out, and the shadow of the arm.

import * as THREE from "three";

/** A round length near the given one: 1, 2 or 5 times a power of ten. */
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [5, 2, 1].find((m) => m * power <= length * 1.0001);
}

const FINE = 5; // fine lines between two strong ones

/** Lines of a square grid, as pairs of ends. */
function gridLines(step, reach, leave = 0) {
  const count = Math.ceil(reach / step), ends = [];
  for (let k = -count; k <= count; k++) {
    if (leave && k % leave === 0) continue;
    ends.push(k * step, -reach, 0, k * step, reach, 0, -reach, k * step, 0, reach, k * step, 0);
  }
  return ends;
}

/** Lines, not a pattern on a surface: without a graphics card these cost next to nothing. */
function grid(step, reach, leave, strength) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(gridLines(step, reach, leave), 3));
  const material = new THREE.ShaderMaterial({
    transparent: true, depthWrite: false,
    uniforms: { ink: { value: new THREE.Color() }, strength: { value: strength }, reach: { value: reach } },
    vertexShader: "varying vec2 at; void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: `
      varying vec2 at; uniform vec3 ink; uniform float strength, reach;
      void main() { gl_FragColor = vec4(ink, strength * (1.0 - smoothstep(0.3, 1.0, length(at) / reach))); }`,
  });
  const lines = new THREE.LineSegments(geometry, material);
  lines.renderOrder = -1;
  return lines;
}

export class Ground extends THREE.Group {
  constructor(size, height) {
    super();
    const step = roundLength(size / 4);
    this.grids = [grid(step, 3 * size, 0, 0.42), grid(step / FINE, 1.5 * size, FINE, 0.18)];
    this.shade = new THREE.ShadowMaterial({ transparent: true, depthWrite: false });
    this.shadow = new THREE.Mesh(new THREE.CircleGeometry(1.35 * size, 32), this.shade);
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -2;
    this.add(this.shadow, ...this.grids);
    this.position.z = height;
  }

  dress(dark) {
    for (const { material } of this.grids) material.uniforms.ink.value.set(dark ? "#8fa3b8" : "#5d6d7c");
    this.shade.opacity = dark ? 0.5 : 0.22;
  }
}
