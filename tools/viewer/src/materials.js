import { Color, DoubleSide, GLSL3, ShaderMaterial, Vector4 } from 'three';
import { texture } from './colour.js';

// What all materials of the page share; changed in one place, seen by all.
export const shared = {
  edge: { value: new Color('#2b3440') },
  ghost: { value: new Color('#8a94a0') },
  plain: { value: new Color('#9db4c8') },
  // the section: what lies beyond w along xyz is left out, in the axes of the camera
  cut: { value: new Vector4(0, 0, 0, 1) },
};

const section = `
  uniform vec4 cut;
  void leave_out_cut(vec3 at) { if (dot(cut.xyz, at) > cut.w) discard; }`;

// Colour by the number `value`: in [0, 1] of a map; below -1.5 means "no number here".
const shade = `
  vec3 lit(vec3 colour, vec3 at) {
    vec3 n = normalize(cross(dFdx(at), dFdy(at)));
    if (dot(n, at) > 0.0) n = -n;
    float head = max(0.0, dot(n, normalize(-at)));
    float key = max(0.0, dot(n, normalize(vec3(-0.35, 0.8, 0.55))));
    return colour * (0.42 + 0.34 * head + 0.32 * key);
  }`;

// The colour of `value`; plain where there is no number, and where nothing is coloured.
const tone = `
  uniform sampler2D map;
  uniform float coloured;
  uniform vec3 plain;
  vec3 tone(float value) { return mix(plain, texture(map, vec2(value, 0.5)).rgb, value < -0.5 ? 0.0 : coloured); }`;

// Deformed positions: rest + factor * disp; `component` 0 colours by |disp|, 1..3 by one direction, 4 by `tint`.
const deform = `
  in vec3 disp;
  in float tint;
  uniform float factor, gain;
  uniform int component;
  out vec3 at;
  out float value;
  void main() {
    vec4 eye = modelViewMatrix * vec4(position + factor * disp, 1.0);
    at = eye.xyz;
    value = component == 4 ? tint : component == 0 ? length(disp) * gain : 0.5 + 0.5 * gain * disp[component - 1];
    gl_Position = projectionMatrix * eye;
    gl_PointSize = POINT_SIZE;
  }`;

function deforming(fragment, uniforms, options = {}) {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: deform.replace('POINT_SIZE', (options.pointSize ?? 1).toFixed(1)),
    fragmentShader: `in vec3 at; in float value; out vec4 pixel;${section}\n${fragment.replace('void main() {', 'void main() { leave_out_cut(at);')}`,
    uniforms: { ...uniforms, cut: shared.cut },
    side: DoubleSide,
    ...options.three,
  });
}

export function deformUniforms() {
  return { factor: { value: 0 }, gain: { value: 0 }, component: { value: 0 }, map: { value: texture('size') }, coloured: { value: 1 } };
}

export function faces(uniforms) {
  return deforming(
    `${tone}${shade}
     void main() { pixel = vec4(lit(tone(value), at), 1.0); }`,
    { ...uniforms, plain: shared.plain },
    { three: { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 } },
  );
}

export function edges(uniforms, alone) {
  const colour = alone ? 'tone(value)' : 'edge';
  return deforming(
    `uniform vec3 edge;${tone}
     void main() { pixel = vec4(${colour}, ${alone ? '1.0' : '0.55'}); }`,
    { ...uniforms, edge: shared.edge, plain: shared.plain },
    { three: { transparent: !alone } },
  );
}

export function points(uniforms, size) {
  return deforming(
    `${tone}
     void main() {
       if (length(gl_PointCoord - 0.5) > 0.5) discard;
       pixel = vec4(tone(value), 1.0);
     }`,
    { ...uniforms, plain: shared.plain },
    { pointSize: size },
  );
}

export function ghost() {
  return deforming(
    'uniform vec3 ghost; void main() { pixel = vec4(ghost, 0.45); }',
    { factor: { value: 0 }, gain: { value: 0 }, component: { value: 0 }, ghost: shared.ghost },
    { three: { transparent: true, depthWrite: false } },
  );
}

// Sticks from a to b (a unit shape along z) and balls at a, one an instance.
function instanced(place, uniforms) {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    side: DoubleSide,
    vertexShader: `
      in vec3 a, b;
      in float thick, tint;
      out vec3 at;
      out float value;
      void main() {
        vec3 p;
        ${place}
        vec4 eye = modelViewMatrix * vec4(p, 1.0);
        at = eye.xyz;
        value = tint;
        gl_Position = projectionMatrix * eye;
      }`,
    fragmentShader: `
      in vec3 at;
      in float value;
      out vec4 pixel;
      uniform sampler2D map;
      uniform vec3 plain;${section}${shade}
      void main() {
        leave_out_cut(at);
        if (value < -8.0) discard;
        pixel = vec4(lit(value < -1.5 ? plain : texture(map, vec2(value, 0.5)).rgb, at), 1.0);
      }`,
    uniforms: { ...uniforms, cut: shared.cut },
  });
}

export function sticks(map, plain) {
  return instanced(
    `vec3 along = b - a;
     float size = max(length(along), 1e-20);
     vec3 w = along / size;
     vec3 u = normalize(abs(w.z) < 0.9 ? cross(w, vec3(0, 0, 1)) : cross(w, vec3(0, 1, 0)));
     p = a + along * position.z + thick * (u * position.x + cross(w, u) * position.y);`,
    { map: { value: texture(map) }, plain: plain ?? shared.plain },
  );
}

// Beams of a body: sticks between two deformed nodes, coloured as its faces are.
export function beams(uniforms) {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    side: DoubleSide,
    vertexShader: `
      in vec3 restA, restB, dispA, dispB;
      in float tintA, tintB;
      uniform float factor, gain, thick;
      uniform int component;
      out vec3 at;
      out float value;
      float tint(vec3 d, float given) {
        return component == 4 ? given : component == 0 ? length(d) * gain : 0.5 + 0.5 * gain * d[component - 1];
      }
      void main() {
        vec3 a = restA + factor * dispA;
        vec3 along = restB + factor * dispB - a;
        vec3 w = along / max(length(along), 1e-20);
        vec3 u = normalize(abs(w.z) < 0.9 ? cross(w, vec3(0, 0, 1)) : cross(w, vec3(0, 1, 0)));
        vec4 eye = modelViewMatrix * vec4(a + along * position.z + thick * (u * position.x + cross(w, u) * position.y), 1.0);
        at = eye.xyz;
        value = mix(tint(dispA, tintA), tint(dispB, tintB), position.z);
        gl_Position = projectionMatrix * eye;
      }`,
    fragmentShader: `
      in vec3 at;
      in float value;
      out vec4 pixel;
      ${section}${tone}${shade}
      void main() {
        leave_out_cut(at);
        pixel = vec4(lit(tone(value), at), 1.0);
      }`,
    uniforms: { ...uniforms, plain: shared.plain, cut: shared.cut, thick: { value: 1 } },
  });
}

export function balls(map, plain) {
  return instanced('p = a + thick * position;', { map: { value: texture(map) }, plain: plain ?? shared.plain });
}
