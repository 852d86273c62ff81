// The floor: a fine grid that fades out, and the shadow of the arm.

import * as THREE from "three";

/** A round length near the given one: 1, 2 or 5 times a power of ten. */
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [5, 2, 1].find((m) => m * power <= length * 1.0001);
}

export class Ground extends THREE.Group {
  constructor(size, height) {
    super();
    this.step = roundLength(size / 5);
    const disc = new THREE.CircleGeometry(3.2 * size, 64);
    this.grid = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false,
      uniforms: { ink: { value: new THREE.Color() }, strength: { value: 1 }, step: { value: this.step }, reach: { value: 3 * size } },
      vertexShader: "varying vec2 at; void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: `
        varying vec2 at; uniform vec3 ink; uniform float strength, step, reach;
        float lines(float wide) {
          vec2 to = abs(fract(at / wide - 0.5) - 0.5), pixel = fwidth(at / wide);
          vec2 near = 1.0 - min(to / pixel, 1.0);
          return max(near.x, near.y) * clamp(1.6 - 4.0 * max(pixel.x, pixel.y), 0.0, 1.0);
        }
        void main() {
          float fade = 1.0 - smoothstep(0.25, 1.0, length(at) / reach);
          gl_FragColor = vec4(ink, strength * fade * max(0.35 * lines(0.2 * step), lines(step)));
        }`,
    });
    this.shade = new THREE.ShadowMaterial({ transparent: true, depthWrite: false });
    const shadow = new THREE.Mesh(disc, this.shade), grid = new THREE.Mesh(disc, this.grid);
    shadow.receiveShadow = true;
    shadow.renderOrder = -2;
    grid.renderOrder = -1;
    this.add(shadow, grid);
    this.position.z = height;
  }

  dress(dark) {
    this.grid.uniforms.ink.value.set(dark ? "#8fa3b8" : "#50606f");
    this.grid.uniforms.strength.value = dark ? 0.26 : 0.2;
    this.shade.opacity = dark ? 0.5 : 0.22;
  }
}
