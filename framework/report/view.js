// The scene in three dimensions: bodies, links, curves, ground, traces; a camera to orbit, and to follow a body with.
import * as THREE from "three";
import { OrbitControls } from "three-orbit";
import { Line2 } from "three-lines/Line2.js";
import { LineGeometry } from "three-lines/LineGeometry.js";
import { LineMaterial } from "three-lines/LineMaterial.js";
import { extentsOf } from "./extents.js";
import { Links } from "./links.js";
import { Solids } from "./solids.js";
import { niceBelow } from "./format.js";

export const traceColors = ["#d1495b", "#3566a8", "#2a8f57", "#c98b1b", "#7a4fa3"];

export class View {
  /** Throws where there is no WebGL. `motion`: where bodies are; `margin`: of what the camera shows at first, 1 for none. */
  constructor(canvas, scene, motion, margin) {
    this.margin = margin;
    this.canvas = canvas;
    this.data = scene;
    this.motion = motion;
    this.traces = [];
    this.followed = null;
    this.extents = extentsOf(scene, motion);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.lineMaterials = [];
    this.up = new THREE.Vector3(...scene.up);
    this.addBodies();
    this.addGround();
    this.addLights();
    this.addCamera();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  addBodies() {
    this.solids = new Solids(this.data.pieces, 0.0012 * Math.min(this.extents.radius, 2.2 * this.extents.size));
    this.links = new Links(this.data.links, this.motion);
    this.curves = this.data.curves.map((curve) => {
      const line = this.line(curve.points.flat(), curve.color, 1.6);
      line.matrixAutoUpdate = false;
      return { line, body: curve.body, points: curve.points };
    });
    this.scene.add(this.solids.bodies, this.solids.markers, this.links.group);
  }

  line(points, color, width) {
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    const material = new LineMaterial({ color: new THREE.Color(color).getHex(), linewidth: width });
    this.lineMaterials.push(material);
    if (this.width) material.resolution.set(this.width, this.height);
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    this.scene.add(line);
    return line;
  }

  /** A grid under spatial models, behind planar ones, that takes the shadows. */
  addGround() {
    const { planar } = this.data;
    const normal = planar ? new THREE.Vector3(0, 0, 1) : this.up;
    const { center, radius, lowest } = this.extents;
    const cell = niceBelow(Math.min(radius, 1.5 * this.extents.size) / 3);
    const cells = 2 * Math.min(100, Math.ceil((1.35 * radius) / cell) + 1);
    const grid = new THREE.GridHelper(cells * cell, cells, "#c3cad2", "#dfe4e9");
    const plane = new THREE.Mesh(new THREE.PlaneBufferGeometry(40 * radius, 40 * radius), new THREE.ShadowMaterial({ opacity: 0.13 }));
    plane.receiveShadow = true;
    plane.rotation.x = -Math.PI / 2;
    plane.position.y = -0.002 * this.extents.size;
    this.ground = new THREE.Group();
    this.ground.add(grid, plane);
    this.ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
    const foot = center.clone().addScaledVector(normal, lowest - center.dot(normal));
    this.ground.position.copy(foot);
    // Lines of the grid at whole multiples of the cell.
    for (const axis of ["x", "y", "z"]) {
      if (Math.abs(normal[axis]) < 0.5) this.ground.position[axis] = Math.round(foot[axis] / cell) * cell;
    }
    this.cell = cell;
    this.scene.add(this.ground);
  }

  addLights() {
    const { planar } = this.data;
    const size = this.extents.size;
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#c2c9d2", 0.8));
    this.sun = new THREE.DirectionalLight("#ffffff", 0.4);
    const side = planar ? new THREE.Vector3(0.35, 0.5, 1.2) : this.up.clone().multiplyScalar(1.6).add(this.sideways(0.9, 0.5));
    this.sunOffset = side.normalize().multiplyScalar(4 * size);
    this.sun.castShadow = true;
    const reach = Math.min(1.3 * this.extents.radius, 2.2 * size);
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 12 * size });
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 2;
    this.sun.shadow.bias = -0.0005;
    this.scene.add(this.sun, this.sun.target);
  }

  /** A horizontal direction: `a` to the right, `b` to the front, for this scene's up. */
  sideways(a, b) {
    const front = Math.abs(this.up.z) > 0.5 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    const right = new THREE.Vector3().crossVectors(this.up, front).normalize();
    return right.multiplyScalar(a).addScaledVector(front, b);
  }

  addCamera() {
    const { radius, size } = this.extents;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01 * size, 60 * radius);
    this.camera.up.copy(this.data.planar ? new THREE.Vector3(0, 1, 0) : this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableKeys = false; // the arrow keys are handled where the canvas has the focus
    this.controls.screenSpacePanning = true;
    this.controls.addEventListener("change", () => this.draw());
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.home();
  }

  /** The camera where it sees everything, or the followed body with its surroundings. */
  home() {
    const { center, radius, size } = this.extents;
    const direction = this.data.planar ? new THREE.Vector3(0, 0, 1) : this.up.clone().multiplyScalar(0.42).add(this.sideways(0.55, 1));
    const target = this.followed === null ? center : this.followedPoint();
    direction.normalize();
    const { points } = this.extents;
    const distance = this.followed === null ? this.distanceFor(points, target, direction) : this.distanceAround(Math.min(radius, 0.55 * size));
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.target.copy(target);
    this.controls.update();
    this.draw();
  }

  /** Tangents of half the angles of view. */
  opening() {
    const over = Math.tan((this.camera.fov * Math.PI) / 360);
    return { over, across: over * this.camera.aspect };
  }

  /** How far away a ball fits into the view. */
  distanceAround(reach) {
    const { over, across } = this.opening();
    return (1.05 * reach) / Math.sin(Math.atan(Math.min(over, across)));
  }

  /** How far from `target`, against `direction`, all points are in view. */
  distanceFor(points, target, direction) {
    const { over, across } = this.opening();
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new THREE.Vector3().crossVectors(direction, right);
    const v = new THREE.Vector3();
    let distance = 0;
    for (const point of points) {
      v.copy(point).sub(target);
      const reach = Math.max(Math.abs(v.dot(right)) / across, Math.abs(v.dot(top)) / over);
      distance = Math.max(distance, v.dot(direction) + this.margin * reach);
    }
    return distance || this.distanceAround(this.extents.radius);
  }

  key(event) {
    const turn = 0.08;
    const moves = { ArrowLeft: [turn, 0], ArrowRight: [-turn, 0], ArrowUp: [0, turn], ArrowDown: [0, -turn] };
    const factor = { "+": 1 / 1.15, "=": 1 / 1.15, "-": 1.15 }[event.key];
    if (!(event.key in moves) && factor === undefined) return;
    event.preventDefault();
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (factor !== undefined) {
      offset.multiplyScalar(factor);
    } else {
      const [around, over] = moves[event.key];
      offset.applyAxisAngle(this.camera.up, around);
      const right = new THREE.Vector3().crossVectors(this.camera.up, offset).normalize();
      const angle = offset.angleTo(this.camera.up) + over;
      if (angle > 0.05 && angle < Math.PI - 0.05) offset.applyAxisAngle(right, over);
    }
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.draw();
  }

  followedPoint() {
    return new THREE.Vector3(...this.motion.point(this.followed, [0, 0, 0], new Float64Array(3)));
  }

  /** `body`: an index, or null to stay. The camera keeps its direction and comes as near as the body's surroundings. */
  follow(body) {
    this.followed = body;
    this.home();
  }

  /** Adds the path of a body-fixed point; returns the trace, for `untrace`. */
  trace(body, local, color) {
    const path = this.motion.path(body, local, 4000);
    const all = this.line(path.points, color, 1.2);
    all.material.uniforms.opacity.value = 0.3;
    all.material.transparent = true;
    const past = this.line(path.points, color, 2.4);
    const dot = new THREE.Mesh(new THREE.SphereBufferGeometry(0.011 * Math.min(this.extents.size, this.extents.radius), 16, 12),
      new THREE.MeshBasicMaterial({ color }));
    this.scene.add(dot);
    const trace = { body, local, times: path.times, all, past, dot, at: new Float64Array(3) };
    this.traces.push(trace);
    return trace;
  }

  untrace(trace) {
    this.traces = this.traces.filter((other) => other !== trace);
    this.scene.remove(trace.all, trace.past, trace.dot);
    for (const line of [trace.all, trace.past]) {
      this.lineMaterials = this.lineMaterials.filter((material) => material !== line.material);
      line.geometry.dispose();
      line.material.dispose();
    }
  }

  showMarkers(shown) {
    this.solids.markers.visible = shown;
    this.draw();
  }

  showGround(shown) {
    this.ground.visible = shown;
    this.draw();
  }

  /** The body under a point of the canvas (its own pixels), or null. */
  bodyAt(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    const lines = this.curves.filter(({ body }) => body >= 0);
    const near = this.nearestCurve(lines, x, y);
    return this.solids.bodyAlong(ray) ?? near;
  }

  /** The body whose curve passes within a few pixels. */
  nearestCurve(lines, x, y) {
    const reach = 6;
    const at = new Float64Array(3);
    for (const { body, points } of lines) {
      for (const point of points) {
        const [px, py] = this.project(this.motion.point(body, point, at));
        if (Math.hypot(px - x, py - y) <= reach) return body;
      }
    }
    return null;
  }

  /** Shows which body is chosen; null: none. */
  highlight(body) {
    this.solids.highlight(body);
    this.draw();
  }

  /** Everything at the time `t`. */
  update(t) {
    this.motion.set(t);
    this.solids.update(this.motion.places);
    this.links.update();
    for (const { line, body } of this.curves) {
      if (body < 0) continue;
      const m = this.motion.places.subarray(12 * body, 12 * body + 12);
      line.matrix.set(...m, 0, 0, 0, 1);
      line.matrixWorldNeedsUpdate = true;
    }
    for (const trace of this.traces) {
      trace.dot.position.fromArray(this.motion.point(trace.body, trace.local, trace.at));
      let past = 0;
      while (past < trace.times.length && trace.times[past] <= t) ++past;
      trace.past.geometry.maxInstancedCount = Math.max(0, past - 1);
    }
    if (this.followed !== null) {
      const target = this.followedPoint();
      this.camera.position.add(target).sub(this.controls.target);
      this.controls.target.copy(target);
    }
    this.draw();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (clientWidth === 0 || (clientWidth === this.width && clientHeight === this.height)) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    for (const material of this.lineMaterials) material.resolution.set(clientWidth, clientHeight);
    if (this.resized) return this.draw();
    this.resized = true; // the first size decides how far away the camera has to be
    this.home();
  }

  /** At the next frame, once. */
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (!this.width) return;
      const near = this.followed === null && this.extents.radius < 2.2 * this.extents.size;
      this.sun.target.position.copy(near ? this.extents.center : this.controls.target);
      this.sun.position.copy(this.sun.target.position).add(this.sunOffset);
      this.renderer.render(this.scene, this.camera);
    });
  }

  /** Where a point of space is on the canvas, in its own pixels. */
  project(point) {
    this.camera.updateMatrixWorld();
    const v = new THREE.Vector3(...point).project(this.camera);
    return [((v.x + 1) / 2) * this.width, ((1 - v.y) / 2) * this.height];
  }
}
