import {
  Color, DirectionalLight, HemisphereLight, MOUSE, PerspectiveCamera, Scene, TOUCH, Vector3,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const views = {
  iso: [-0.62, -1, 0.52],
  front: [-1, 0, 0],
  side: [0, -1, 0],
  top: [0, -0.001, 1],
};

// One picture: a scene, a camera, and the part of the canvas that shows them.
export class Panel {
  constructor(host, view) {
    this.host = host;
    this.view = view;
    this.scene = new Scene();
    this.scene.add(view.group);
    this.camera = new PerspectiveCamera(view.planar ? 4 : 28, 1, 0.01, 100);
    this.camera.up.set(0, view.planar ? 1 : 0, view.planar ? 0 : 1);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a93a0, 1.7));
    this.light = new DirectionalLight(0xffffff, 1.6);
    this.scene.add(this.light);
    this.box = view.bounds();
    this.size = Math.max(1e-9, this.box.getSize(new Vector3()).length());
    this.controls = new OrbitControls(this.camera, host);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    if (view.planar) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = MOUSE.PAN;
      this.controls.touches.ONE = TOUCH.PAN;
    }
    this.look(view.planar ? 'top' : 'iso');
  }

  background(colour) {
    this.scene.background = new Color(colour);
  }

  // Looks from a named side, as near as the whole motion stays inside.
  look(name) {
    const centre = this.box.getCenter(new Vector3());
    const from = new Vector3(...(this.view.planar ? [0, 0, 1] : views[name])).normalize();
    this.name = name;
    this.camera.position.copy(centre).addScaledVector(from, this.size);
    this.controls.target.copy(centre);
    this.camera.lookAt(centre);
    this.camera.updateMatrixWorld();
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(
        k & 1 ? this.box.max.x : this.box.min.x, k & 2 ? this.box.max.y : this.box.min.y, k & 4 ? this.box.max.z : this.box.min.z,
      ).sub(centre);
      const ahead = corner.dot(from);
      distance = Math.max(distance, ahead + Math.abs(corner.dot(right)) / wide, ahead + Math.abs(corner.dot(up)) / tall);
    }
    this.camera.position.copy(centre).addScaledVector(from, 1.08 * Math.max(distance, 1e-3 * this.size));
    this.controls.minDistance = 1e-3 * this.size;
    this.controls.maxDistance = (this.view.planar ? 200 : 30) * this.size;
    this.controls.update();
  }

  follow(other) {
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.controls.target.copy(other.controls.target);
    this.controls.update();
  }

  resize() {
    this.rectangle = this.host.getBoundingClientRect();
    const aspect = Math.max(1e-3, this.rectangle.width / Math.max(1, this.rectangle.height));
    if (Math.abs(aspect - this.camera.aspect) < 1e-6) return;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.look(this.name);
  }

  draw(renderer, page) {
    const r = this.rectangle;
    if (r.width < 1 || r.height < 1) return;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance * 0.02, 1e-4 * this.size);
    this.camera.far = distance + 60 * this.size;
    this.camera.updateProjectionMatrix();
    this.light.position.copy(this.camera.position).add(new Vector3(0, 0, 0.6 * distance));
    const bottom = page.height - (r.bottom - page.top);
    renderer.setViewport(r.left - page.left, bottom, r.width, r.height);
    renderer.setScissor(r.left - page.left, bottom, r.width, r.height);
    renderer.render(this.scene, this.camera);
  }

  // Where a point of the world is on the screen, in pixels of the panel; depth in z.
  project(point) {
    const at = point.clone().project(this.camera);
    return new Vector3(((at.x + 1) / 2) * this.rectangle.width, ((1 - at.y) / 2) * this.rectangle.height, at.z);
  }

  // The node nearest to a place on the screen; of several, the one in front.
  nodeAt(x, y, reach) {
    const point = new Vector3();
    let best = null;
    let least = Infinity;
    this.camera.updateMatrixWorld();
    for (const target of this.view.pickable()) {
      for (let i = 0; i < target.count; i++) {
        target.place(i, point);
        const depth = point.distanceTo(this.camera.position) / this.size;
        const at = this.project(point);
        if (at.z > 1) continue;
        const away = Math.hypot(at.x - x, at.y - y);
        if (away > reach) continue;
        const score = away / reach + 4 * depth;
        if (score < least) {
          least = score;
          best = { target, node: i };
        }
      }
    }
    return best;
  }
}
