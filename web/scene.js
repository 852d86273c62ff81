// The arm in space: draws a Scene (torsor/scene) in a given posture, whenever something changed and never else.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { FlatShadow } from "./casting.js";
import { Ground } from "./ground.js";
import { Tree } from "./kinematics.js";
import { Labels } from "./labels.js";
import { Pace } from "./pacing.js";
import { capsuleBetween, drawn, Looks, matrixOf, unpackMeshes } from "./shapes.js";
import { isDark, onTheme } from "./theme.js";

// where the camera looks from, seen from the middle of the arm
export const VIEWS = {
  corner: { from: [0.62, -0.72, 0.36], name: "from a corner" },
  front: { from: [1, 0, 0.0001], name: "along x" },
  side: { from: [0, -1, 0.0001], name: "along y" },
  top: { from: [-0.0001, 0, 1], name: "from above" },
};

export class ArmView {
  static async of(holder, scene) {
    const view = new ArmView(holder, scene, await unpackMeshes(scene.meshes));
    view.render();
    return view;
  }

  constructor(holder, scene, meshes) {
    Object.assign(this, { holder, scene, meshes, tree: new Tree(scene), frames: 0, followers: new Set(), lightened: new Set(), layers: [] });
    this.q = scene.joints.map((joint) => joint.home);
    this.#open();
    this.#build();
    const stop = onTheme(() => this.dress()), watcher = new ResizeObserver(() => this.fit());
    this.endings = [stop, () => watcher.disconnect(), () => this.controls.dispose(), () => this.renderer.dispose()];
    this.dress();
    this.pose(this.q);
    this.fit();
    this.look("corner");
    watcher.observe(holder);
  }

  /** Nothing is drawn or listened to any more: another view takes its place. */
  close() {
    cancelAnimationFrame(this.asked);
    this.pace.stop();
    this.endings.splice(0).forEach((end) => end());
  }

  // what is drawn

  #open() {
    const canvas = this.holder.querySelector("canvas") ?? this.holder.appendChild(document.createElement("canvas"));
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1.5, 0.02 * this.scene.size, 40 * this.scene.size);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { enableDamping: false, minDistance: 0.2 * this.scene.size, maxDistance: 12 * this.scene.size });
    this.controls.addEventListener("change", () => this.render());
    this.controls.addEventListener("start", () => (this.chosen = true));
    this.labels = new Labels(this.holder, this.camera);
    this.pace = new Pace(this);
  }

  #build() {
    const { scene } = this;
    this.looks = new Looks(isDark());
    this.base = new THREE.Group();
    this.base.matrixAutoUpdate = false;
    this.base.matrix.copy(matrixOf(scene.base));
    this.links = scene.links.map((link) => this.#linkGroup(link.shapes));
    this.baseShapes = this.#linkGroup(scene.base_shapes);
    this.base.add(this.baseShapes, ...this.links);
    this.rods = scene.loops.filter((loop) => loop.kind === "distance").map((loop) => this.#rod(loop));
    this.ground = new Ground(scene.size, scene.ground);
    for (const plane of scene.planes) this.base.add(this.#contact(plane));
    this.world.add(this.base, this.ground, ...this.#lights());
    const { position, target } = this.key;
    this.flat = new FlatShadow([this.baseShapes, ...this.links], this.meshes, this.base.matrix, scene.ground, position, target.position);
    this.flat.visible = false;
    this.world.add(this.flat);
  }

  #linkGroup(shapes, options = {}) {
    const group = new THREE.Group();
    group.matrixAutoUpdate = false;
    for (const shape of shapes) group.add(drawn(shape, this.meshes, this.looks.of(shape, options)));
    return group;
  }

  /** What keeps two points apart, drawn as the rod that it is. */
  #rod(loop) {
    const shape = { role: "link" }, r = 0.012 * this.scene.size;
    const mesh = new THREE.Mesh(capsuleBetween([0, 0, 0], [0, 0, loop.length], r), this.looks.of(shape));
    mesh.castShadow = true;
    mesh.userData = { shape, loop };
    this.base.add(mesh);
    return mesh;
  }

  #contact({ point, normal }) {
    const size = this.scene.size, material = new THREE.MeshBasicMaterial({ color: "#0072b2", transparent: true, opacity: 0.12, side: THREE.DoubleSide, depthWrite: false });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(1.5 * size, 1.5 * size), material);
    mesh.position.set(...point);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...normal).normalize());
    return mesh;
  }

  #lights() {
    const { size, ground } = this.scene;
    const key = new THREE.DirectionalLight("#fff8f0", 2.2), fill = new THREE.DirectionalLight("#dcebff", 0.5);
    key.position.set(0.9 * size, -1.3 * size, 2.6 * size);
    fill.position.set(-1.6 * size, 1.2 * size, 1.0 * size);
    key.castShadow = true;
    key.shadow.mapSize.set(1024, 1024);
    key.shadow.radius = 5;
    key.shadow.bias = -0.0006;
    key.shadow.normalBias = 0.014 * size;
    Object.assign(key.shadow.camera, { left: -1.7 * size, right: 1.7 * size, top: 1.7 * size, bottom: -1.7 * size, near: 0.1 * size, far: 7 * size });
    key.target.position.set(0, 0, ground + 0.4 * size);
    this.key = key;
    this.sky = new THREE.HemisphereLight("#ffffff", "#b9b4ae", 1.5);
    this.sky.position.set(0, 0, 1); // from above, which is z here
    const lamp = new THREE.DirectionalLight("#ffffff", 0.8); // at the camera, so that nothing that is looked at is dark
    this.camera.add(lamp, lamp.target);
    lamp.target.position.set(0, 0, -1);
    return [key, key.target, fill, this.sky, this.camera];
  }

  /** Colours for light or dark. */
  dress() {
    this.looks = new Looks(isDark());
    const paint = (object, options) => object.userData.shape && (object.material = this.looks.of(object.userData.shape, options));
    this.base.traverse((object) => paint(object, { ghost: object.parent?.userData.ghost }));
    this.ground.dress(isDark());
    this.flat.shade.opacity = this.ground.shade.opacity;
    this.sky.intensity = isDark() ? 1.0 : 1.5;
    this.layers.forEach((layer) => layer.dress?.());
    this.bending?.dress();
    this.render();
  }

  // postures

  pose(q) {
    this.q = [...q];
    this.poses_ = this.tree.poses(this.q);
    const drawn = this.bending?.placed(this.poses_);
    this.links.forEach((group, k) => group.matrix.copy(drawn?.[k] ?? matrixOf(this.poses_[k])));
    this.rods.forEach((rod) => this.#place(rod));
    this.layers.forEach((layer) => layer.on && layer.pose?.());
    this.followers.forEach((follow) => follow(this.q, this.poses_));
    if (!this.chosen) this.#stepBack();
    this.render();
  }

  #place(rod) {
    const { first, second } = rod.userData.loop;
    const [a, b] = [first, second].map((frame) => new THREE.Vector3().setFromMatrixPosition(matrixOf(this.tree.frame(frame, this.poses_))));
    rod.position.copy(a);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), b.sub(a).normalize());
  }

  /** The same arm elsewhere, seen through; null takes it away. */
  ghost(q) {
    if (!q) {
      if (this.shadow_) this.shadow_.visible = false;
    } else {
      if (!this.shadow_) {
        this.shadow_ = new THREE.Group();
        const ghost = this.ghostLook ?? true;
        this.shadow_.add(...this.scene.links.map((link) => this.#linkGroup(link.shapes, { ghost })));
        this.shadow_.traverse((object) => {
          object.castShadow = object.receiveShadow = false;
          object.userData.ghost = ghost;
          if (ghost === "rigid") object.renderOrder = -5; // before the arm, which lies over it
        });
        this.base.add(this.shadow_);
      }
      this.shadow_.visible = true;
      this.tree.poses(q).forEach((T, k) => this.shadow_.children[k].matrix.copy(matrixOf(T)));
    }
    this.render();
  }

  /** T_base_link of every link, as it is drawn. */
  poses() {
    this.world.updateMatrixWorld(true);
    const toBase = this.base.matrixWorld.clone().invert();
    const rows = (group) => new THREE.Matrix4().multiplyMatrices(toBase, group.matrixWorld).transpose().toArray();
    return Object.fromEntries(this.scene.links.map((link, k) => [link.name, rows(this.links[k])]));
  }

  // the camera

  /** The box around the arm as it stands, and around what else is to be seen. */
  #box() {
    this.world.updateMatrixWorld(true);
    const box = this.seen?.clone() ?? new THREE.Box3();
    [this.baseShapes, ...this.links].forEach((group) => box.expandByObject(group));
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3().setScalar(this.scene.size));
    return box;
  }

  /** Steps back until all links are in sight, unless somebody has chosen where to look from. */
  #stepBack() {
    const at = new THREE.Vector3(), { camera, controls } = this;
    const isOut = () => {
      camera.updateMatrixWorld();
      return this.poses_.some((T) => {
        at.setFromMatrixPosition(matrixOf(T)).applyMatrix4(this.base.matrix).project(camera);
        return Math.max(Math.abs(at.x), Math.abs(at.y)) > 0.88;
      });
    };
    for (let step = 0; step < 12 && isOut(); step++) camera.position.sub(controls.target).multiplyScalar(1.06).add(controls.target);
  }

  /** Keeps these places in sight, and looks at them. */
  keepInSight(points) {
    this.seen = new THREE.Box3().setFromPoints(points.map((point) => new THREE.Vector3(...point)));
    this.look("corner");
  }

  look(name, camera = this.camera, controls = this.controls) {
    const ball = this.#box().getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(ball.radius, 0.4 * this.scene.size);
    const wide = Math.min(1, camera.aspect), far = (1.04 * radius) / Math.sin((Math.PI / 360) * camera.fov) / wide;
    camera.position.copy(ball.center).addScaledVector(new THREE.Vector3(...VIEWS[name].from).normalize(), far);
    camera.lookAt(ball.center);
    camera.updateMatrixWorld();
    if (controls) {
      controls.target.copy(ball.center);
      controls.update();
    }
    this.render();
  }

  /** Turns the camera about the arm by angles, and brings it nearer by a factor. */
  orbit(turn, tilt, nearer = 1) {
    const way = this.camera.position.clone().sub(this.controls.target), polar = new THREE.Spherical();
    polar.setFromVector3(new THREE.Vector3(way.x, way.z, -way.y)); // three's angles are about y
    polar.theta += turn;
    polar.phi = Math.min(Math.max(polar.phi + tilt, 0.02), Math.PI - 0.02);
    polar.radius = Math.min(Math.max(polar.radius / nearer, this.controls.minDistance), this.controls.maxDistance);
    const { x, y, z } = new THREE.Vector3().setFromSpherical(polar);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(x, -z, y));
    this.controls.update();
    this.render();
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !height) return;
    this.renderer.setPixelRatio(this.pace.ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  // drawing

  /** Asks for a frame; many asks in one go are one frame. */
  render() {
    this.pace.ask();
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.draw();
    });
  }

  draw() {
    this.paint();
    this.labels.place();
    this.frames++;
    this.pace.drawn();
  }

  paint() {
    this.renderer.render(this.world, this.camera);
  }

  /** Pixels drawn for one on the screen; light leaves soft shadows out, and draws lines for tubes. */
  refine(ratio, light) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.holder.clientWidth, this.holder.clientHeight, false);
    this.key.castShadow = !light;
    this.ground.shadow.visible = !light;
    this.flat.visible = light;
    this.lightened.forEach((change) => change(light));
  }

  /** A picture of the arm as it stands, seen from one of the views, on a canvas of its own. */
  picture(name, width, height) {
    const camera = this.camera.clone(), picture = Object.assign(document.createElement("canvas"), { width, height });
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    this.look(name, camera, null);
    this.pace.settle();
    this.renderer.setSize(width, height, false);
    this.renderer.render(this.world, camera);
    picture.getContext("2d").drawImage(this.renderer.domElement, 0, 0, width, height);
    return picture;
  }
}
