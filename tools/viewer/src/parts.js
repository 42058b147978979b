import {
  CatmullRomCurve3, CylinderGeometry, DynamicDrawUsage, IcosahedronGeometry, InstancedBufferAttribute,
  InstancedBufferGeometry, Mesh, TubeGeometry, Vector3,
} from 'three';
import * as materials from './materials.js';

// Many equal shapes in one draw call: sticks between two points, coils, balls.
export class Instances {
  constructor(shape, count, material) {
    this.count = count;
    const geometry = new InstancedBufferGeometry();
    geometry.index = shape.index;
    geometry.setAttribute('position', shape.getAttribute('position'));
    const attribute = (size) => {
      const made = new InstancedBufferAttribute(new Float32Array(size * count), size);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    this.a = attribute(3);
    this.b = attribute(3);
    this.thick = attribute(1);
    this.tint = attribute(1);
    this.tint.array.fill(-2);
    for (const name of ['a', 'b', 'thick', 'tint']) geometry.setAttribute(name, this[name]);
    geometry.instanceCount = count;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  ends(i, ax, ay, az, bx, by, bz) {
    const a = this.a.array;
    const b = this.b.array;
    a[3 * i] = ax; a[3 * i + 1] = ay; a[3 * i + 2] = az;
    b[3 * i] = bx; b[3 * i + 1] = by; b[3 * i + 2] = bz;
  }

  changed() {
    for (const name of ['a', 'b', 'thick', 'tint']) this[name].needsUpdate = true;
  }
}

function alongZ(shape) {
  shape.rotateX(Math.PI / 2);
  shape.translate(0, 0, 0.5);
  return shape;
}

// Sticks between pairs of nodes of a body; positions come from the arrays that the body's faces use.
export class Beams {
  constructor(pairs, rest, uniforms, thick) {
    this.pairs = pairs;
    this.count = pairs.length / 2;
    const geometry = new InstancedBufferGeometry();
    const shape = alongZ(new CylinderGeometry(1, 1, 1, this.count > 20000 ? 4 : 8, 1));
    geometry.index = shape.index;
    geometry.setAttribute('position', shape.getAttribute('position'));
    for (const name of ['restA', 'restB', 'dispA', 'dispB']) {
      this[name] = new InstancedBufferAttribute(new Float32Array(3 * this.count), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, this[name]);
    }
    for (const name of ['tintA', 'tintB']) {
      this[name] = new InstancedBufferAttribute(new Float32Array(this.count), 1).setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, this[name]);
    }
    geometry.instanceCount = this.count;
    this.spread(rest, 'rest');
    const material = materials.beams(uniforms);
    material.uniforms.thick.value = thick;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  // from numbers by node to numbers by beam
  spread(values, kind) {
    const ends = [this[kind + 'A'], this[kind + 'B']];
    for (let i = 0; i < this.count; i++)
      for (let side = 0; side < 2; side++) {
        const from = 3 * this.pairs[2 * i + side];
        for (let k = 0; k < 3; k++) ends[side].array[3 * i + k] = values[from + k];
      }
    for (const end of ends) end.needsUpdate = true;
  }

  spreadTint(tints) {
    for (let i = 0; i < this.count; i++) {
      this.tintA.array[i] = tints[this.pairs[2 * i]];
      this.tintB.array[i] = tints[this.pairs[2 * i + 1]];
    }
    this.tintA.needsUpdate = this.tintB.needsUpdate = true;
  }
}

export function sticks(count, map, plain) {
  return new Instances(alongZ(new CylinderGeometry(1, 1, 1, count > 20000 ? 5 : 10, 1)), count, materials.sticks(map, plain));
}

export function coils(count, map) {
  // made ten times as long as wide and pressed flat afterwards, so that the wire stays round at usual lengths
  const path = [new Vector3(0, 0, 0), new Vector3(0, 0, 0.8)];
  const turns = 7;
  for (let i = 0; i <= turns * 12; i++) {
    const angle = (2 * Math.PI * i) / 12;
    path.push(new Vector3(Math.cos(angle), Math.sin(angle), 1.2 + (7.6 * i) / (turns * 12)));
  }
  path.push(new Vector3(0, 0, 9.2), new Vector3(0, 0, 10));
  const shape = new TubeGeometry(new CatmullRomCurve3(path), turns * 40, 0.16, 6);
  shape.scale(1, 1, 0.1);
  return new Instances(shape, count, materials.sticks(map));
}

export function balls(count, map, plain) {
  return new Instances(new IcosahedronGeometry(1, count > 20000 ? 0 : count > 2000 ? 1 : 2), count, materials.balls(map, plain));
}

export { texture as mapOf } from './colour.js';
