// Springs, dampers, actuators and struts between two points: built along z from 0 to 1, stretched to where the points are.
import * as THREE from "three";
import { material } from "./solids.js";

const metal = "#8a949e";
const actuatorColor = "#54708f";

/** A coil with straight ends; `length`: at which it was measured. */
class Coil extends THREE.Curve {
  constructor(radius, turns) {
    super();
    this.radius = radius;
    this.turns = turns;
  }

  getPoint(s) {
    const end = 0.1;
    if (s <= end || s >= 1 - end) {
      const grow = Math.min(1, (s <= end ? s : 1 - s) / end);
      const ramp = Math.max(0, 2 * grow - 1) * this.radius;
      return new THREE.Vector3(ramp, 0, s);
    }
    const angle = 2 * Math.PI * this.turns * ((s - end) / (1 - 2 * end));
    return new THREE.Vector3(this.radius * Math.cos(angle), this.radius * Math.sin(angle), s);
  }
}

function coil(link, length) {
  const turns = Math.max(5, Math.min(12, Math.round((0.8 * length) / (0.9 * link.radius)) || 5));
  const geometry = new THREE.TubeBufferGeometry(new Coil(link.radius, turns), 22 * turns, 0.14 * link.radius, 6);
  // The wire's thickness is that of the stretched coil: along z it is divided by the length.
  const points = geometry.attributes.position;
  const path = geometry.parameters.path;
  const rings = geometry.parameters.tubularSegments + 1;
  for (let ring = 0; ring < rings; ++ring) {
    const center = path.getPointAt(ring / (rings - 1)).z;
    for (let k = 0; k < 7; ++k) {
      const i = 7 * ring + k;
      points.setZ(i, center + (points.getZ(i) - center) / length);
    }
  }
  return new THREE.Mesh(geometry, material(link.color));
}

function bar(radius, from, to, color) {
  const geometry = new THREE.CylinderBufferGeometry(radius, radius, to - from, 18);
  geometry.rotateX(Math.PI / 2);
  geometry.translate(0, 0, (from + to) / 2);
  return new THREE.Mesh(geometry, material(color));
}

function partsOf(link, length) {
  const r = link.radius;
  if (link.kind === "rod") return [bar(r, 0, 1, link.color)];
  const parts = [];
  if (link.kind !== "damper" && link.kind !== "actuator") parts.push(coil(link, Math.max(length, 4 * r)));
  if (link.kind === "spring") return parts;
  const color = link.kind === "actuator" ? actuatorColor : metal;
  parts.push(bar(0.2 * r, 0, 1, metal), bar((link.kind === "spring_damper" ? 0.5 : 0.7) * r, 0.1, 0.55, color));
  return parts;
}

export class Links {
  constructor(links, motion) {
    this.links = links;
    this.motion = motion;
    this.group = new THREE.Group();
    this.ends = [new Float64Array(3), new Float64Array(3)];
    this.from = new THREE.Vector3();
    this.along = new THREE.Vector3();
    this.objects = links.map((link) => {
      const object = new THREE.Group();
      for (const part of partsOf(link, this.stretch(link))) {
        part.castShadow = true;
        object.add(part);
      }
      this.group.add(object);
      return object;
    });
  }

  stretch(link) {
    for (let k = 0; k < 2; ++k) this.motion.point(link.bodies[k], link.points[k], this.ends[k]);
    this.from.fromArray(this.ends[0]);
    this.along.fromArray(this.ends[1]).sub(this.from);
    return this.along.length();
  }

  update() {
    this.links.forEach((link, k) => {
      const length = this.stretch(link);
      const object = this.objects[k];
      object.position.copy(this.from);
      object.scale.set(1, 1, Math.max(length, 1e-9));
      if (length > 0) object.quaternion.setFromUnitVectors(zAxis, this.along.divideScalar(length));
    });
  }
}

const zAxis = new THREE.Vector3(0, 0, 1);
