// A plane that cuts the picture: what is in front of it along its normal is left out.
import { Plane, Vector3 } from 'three';
import { shared } from './materials.js';

const normals = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
const point = new Vector3();

// `name` is x, y, z or off; `part` from 0 to 1 is the place of the plane within the box.
export class Section {
  constructor(renderer) {
    this.renderer = renderer;
    this.name = 'off';
    this.part = 0.5;
    this.place = 0;
    this.normal = new Vector3();
  }

  set(name, part, box) {
    this.name = normals[name] ? name : 'off';
    this.part = part;
    if (this.name === 'off') {
      this.renderer.clippingPlanes = [];
      return;
    }
    this.normal.set(...normals[this.name]);
    this.place = box.min[this.name] + (box.max[this.name] - box.min[this.name]) * part;
    // planes of three.js keep their positive side
    this.renderer.clippingPlanes = [new Plane(this.normal.clone().negate(), this.place)];
  }

  // Sets the plane of the page's own materials, which work in the axes of the camera.
  apply(camera) {
    const cut = shared.cut.value;
    if (this.name === 'off') {
      cut.set(0, 0, 0, 1);
      return;
    }
    camera.updateMatrixWorld();
    point.copy(this.normal).multiplyScalar(this.place).applyMatrix4(camera.matrixWorldInverse);
    const normal = this.normal.clone().transformDirection(camera.matrixWorldInverse);
    cut.set(normal.x, normal.y, normal.z, normal.dot(point));
  }

  // Whether a point of the world is left out.
  hides(place) {
    return this.name !== 'off' && place.dot(this.normal) > this.place;
  }
}
