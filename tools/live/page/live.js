// The live page: draws what the program sends and sends what the user does. It computes pictures, nothing of the model.
const $ = (id) => document.getElementById(id);
const live = (window.femflexLive = { ready: false, errors: [], pictures: 0, rate: 0, head: null, places: null, status: null });
window.addEventListener('error', (event) => live.errors.push(event.message));

// --- the program -------------------------------------------------------------------------------
let session = '', drawing = null, closing = false;

async function ask(path, body) {
  const answer = await fetch('/live/' + path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  if (answer.ok) return answer;
  const fault = await answer.json().catch(() => null);
  throw new Error(fault?.error?.message ? fault.error.message + (fault.error.fix ? ': ' + fault.error.fix : '') : 'the program does not answer');
}

/// Commands go one after another, so that they arrive in the order in which they were given.
let queue = Promise.resolve();
function command(what) {
  const sent = session;
  if (!sent) return Promise.resolve(null);
  queue = queue.then(async () => {
    if (sent !== session) return null;
    try {
      const status = await (await ask(sent + '/command', what)).json();
      if (sent === session) showStatus(status);
      return status;
    } catch (error) {
      say(error.message);
      return null;
    }
  });
  return queue;
}
live.command = command;

/// A message of the program: the length of its JSON, the JSON, the arrays that it lists.
function unpacked(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let at = 4 + Math.ceil(length / 4) * 4;
  const kinds = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array, i8: Int8Array };
  for (const { name, type, count } of head.arrays) {
    const kind = kinds[type];
    head[name] = new kind(buffer, at, count);
    at += Math.ceil((count * kind.BYTES_PER_ELEMENT) / 4) * 4;
  }
  return head;
}

async function start(model) {
  leave();
  const answer = await (await ask('sessions', { model })).json();
  session = answer.session;
  live.session = session;
  history.length = 0;
  plotted.length = 0;
  await fetchDrawing(true);
  pictures(session);
}
/// The pictures of the session end first, then the session.
function leave() {
  session = '';
  live.head = live.places = live.status = null;
}
function close(which) {
  navigator.sendBeacon('/live/' + which + '/close', '{}');
}
async function fetchDrawing(isNew) {
  const answer = await ask(session + '/drawing');
  drawing = unpacked(await answer.arrayBuffer());
  upload();
  showStatus(drawing);
  $('channels').replaceChildren(...drawing.channels.slice(0, 500).map((name) => new Option(name)));
  if (isNew) view.fit = true;
}

async function pictures(of) {
  await fetchPictures(of);
  if (!closing) close(of);
}
async function fetchPictures(of) {
  let after = 0;
  while (of === session && !closing) {
    try {
      const answer = await ask(of + '/picture?after=' + after);
      if (of !== session) return;
      if (answer.status === 204) continue;
      after = Number(answer.headers.get('X-Picture'));
      const picture = unpacked(await answer.arrayBuffer());
      live.head = picture;
      live.places = picture.places;
      live.pictures += 1;
      if (picture.revision !== drawing.revision) await fetchDrawing(false);
      remember(picture);
      changed = true;
    } catch (error) {
      if (of !== session || closing) return;
      say(error.message);
      session = '';
      return;
    }
  }
}

// --- words and numbers -------------------------------------------------------------------------
const short = (value) => (value === null || !Number.isFinite(value) ? '–' : Number(value.toPrecision(5)).toString());
function say(text) {
  $('message').textContent = text;
}

function showStatus(status) {
  live.status = status;
  $('run').textContent = status.running ? 'pause' : 'run';
  $('return').disabled = !status.has_state;
  $('keep').disabled = !status.keeps;
  $('gravity').checked = status.gravity;
  say(status.message);
  showSliders(status.sliders);
  const stepping = status.stepping;
  const methods = $('integrator');
  if (methods.options.length !== stepping.integrators.length || methods.options[0]?.text !== stepping.integrators[0])
    methods.replaceChildren(...stepping.integrators.map((name) => new Option(name)));
  methods.value = stepping.integrator;
  showSpeed(status.speed);
  if (document.activeElement !== $('length')) $('length').value = short(stepping.step);
  $('stable').textContent = stepping.is_always_stable ? 'stable at any step' : stepping.stable_step === null ? '' : 'stable up to ' + short(stepping.stable_step) + ' s';
}

function showSpeed(speed) {
  const choice = $('speed');
  if (![...choice.options].some((each) => Number(each.value) === speed)) choice.append(new Option(short(speed) + ' ×', speed));
  if (document.activeElement !== choice) choice.value = String(speed);
}

function showSliders(sliders) {
  $('no-sliders').hidden = sliders.length > 0;
  const box = $('sliders');
  const names = sliders.map((each) => each.name).join();
  if (box.dataset.names !== names) {
    box.dataset.names = names;
    box.replaceChildren(...sliders.map((each) => {
      const row = document.createElement('div');
      row.className = 'slider';
      const label = document.createElement('label');
      label.textContent = each.name;
      const number = document.createElement('input');
      number.setAttribute('aria-label', each.name + ', value');
      number.addEventListener('change', () => command({ do: 'set', name: each.name, value: Number(number.value) }));
      const slider = document.createElement('input');
      Object.assign(slider, { type: 'range', min: 0, max: 1, step: 0.002 });
      slider.setAttribute('aria-label', each.name);
      let waiting = false;
      slider.addEventListener('input', async () => {
        if (waiting) return;
        waiting = true;
        await queue;
        waiting = false;
        command({ do: 'set', name: each.name, at: Number(slider.value) });
      });
      row.append(label, number, slider);
      return row;
    }));
  }
  sliders.forEach((each, k) => {
    const [, number, slider] = box.children[k].children;
    box.children[k].title = each.formula ? '= ' + each.formula : '';
    if (document.activeElement !== number) number.value = short(each.value);
    if (document.activeElement !== slider) slider.value = each.at;
  });
}

function showPicture(head) {
  $('clock').textContent = `t = ${head.time.toFixed(3)} s · ${head.running ? short(head.real_speed) + ' × real time' : 'paused'} · ${Math.round(live.rate)} pictures/s`;
  $('run').textContent = head.running ? 'pause' : 'run';
  if (head.message && head.message !== $('message').textContent) say(head.message);
  const names = ['kinetic', 'potential', 'came in', 'error'];
  const box = $('energy');
  if (!box.children.length)
    for (const name of names) {
      const term = document.createElement('dt');
      term.textContent = name;
      box.append(term, document.createElement('dd'));
    }
  head.energy.forEach((value, k) => (box.children[2 * k + 1].textContent = k === 3 ? (100 * value).toPrecision(3) + ' %' : short(value) + ' J'));
  const text = head.hz.length ? head.hz.map((hz, k) => short(hz) + ' Hz, ' + short(100 * head.damping[k]) + ' %') : [head.no_hz];
  const list = $('hz');
  if (list.dataset.text !== text.join()) {
    list.dataset.text = text.join();
    list.replaceChildren(...text.slice(0, 100).map((each) => Object.assign(document.createElement('li'), { textContent: each })));
  }
}

// --- plots -------------------------------------------------------------------------------------
const history = [], plotted = [];
const kMostKept = 900, inks = ['#1b6ca8', '#d1495b', '#3a7d44', '#c77d0a', '#7b5ea7', '#3f8f9b', '#8a6d3b', '#667'];
function remember(picture) {
  if (history.length && picture.time < history[history.length - 1].time) history.length = 0;
  if (history.length && picture.time === history[history.length - 1].time) return;
  history.push({ time: picture.time, energy: picture.energy, plotted: picture.plotted ?? [] });
  if (history.length > kMostKept) history.shift();
}
function plot(canvas, names, value) {
  const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(box.width * ratio)) canvas.width = Math.round(box.width * ratio);
  if (canvas.height !== Math.round(box.height * ratio)) canvas.height = Math.round(box.height * ratio);
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, box.width, box.height);
  if (history.length < 2 || !names.length) return;
  let low = Infinity, high = -Infinity;
  for (const row of history)
    for (let k = 0; k < names.length; ++k) {
      const y = value(row, k);
      if (y < low) low = y;
      if (y > high) high = y;
    }
  if (!(high > low)) high = low + 1;
  const from = history[0].time, span = history[history.length - 1].time - from || 1;
  pen.font = '11px system-ui';
  let right = 6;
  names.forEach((name, k) => {
    pen.strokeStyle = pen.fillStyle = inks[k % inks.length];
    pen.beginPath();
    for (const row of history) {
      const y = value(row, k);
      if (y !== undefined) pen.lineTo(((row.time - from) / span) * box.width, box.height - 4 - ((y - low) / (high - low)) * (box.height - 22));
    }
    pen.stroke();
    pen.fillText(name, right, 12);
    right += pen.measureText(name).width + 14;
  });
}

// --- the picture -------------------------------------------------------------------------------
const canvas = $('canvas');
/// Smooth edges cost a processor that draws by itself two thirds of its pictures.
function drawsInSoftware() {
  const probe = document.createElement('canvas').getContext('webgl2', { antialias: false });
  const names = probe?.getExtension('WEBGL_debug_renderer_info');
  const name = names ? probe.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
const gl = canvas.getContext('webgl2', { antialias: !drawsInSoftware(), alpha: false });
const darkness = matchMedia('(prefers-color-scheme: dark)');
darkness.addEventListener('change', () => (changed = true));
const view = { turn: 0.6, tilt: 0.35, zoom: 1, centre: [0, 0, 0], size: 1, fit: true };
let changed = true, buffers = null, program = null;

function build() {
  const shader = (type, text) => {
    const made = gl.createShader(type);
    gl.shaderSource(made, text);
    gl.compileShader(made);
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made));
    return made;
  };
  program = gl.createProgram();
  gl.attachShader(program, shader(gl.VERTEX_SHADER, `#version 300 es
    layout(location=0) in vec3 place; layout(location=1) in float tint; uniform mat4 look; uniform float dot; out float shade;
    void main(){ gl_Position = look * vec4(place, 1.0); gl_PointSize = dot; shade = tint; }`));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `#version 300 es
    precision mediump float; in float shade; uniform vec4 ink; uniform float tinted; out vec4 colour;
    void main(){ vec3 pulled = mix(ink.rgb, vec3(0.82, 0.22, 0.25), clamp(shade, 0.0, 1.0)); vec3 c = mix(pulled, vec3(0.1, 0.4, 0.85), clamp(-shade, 0.0, 1.0));
      colour = vec4(mix(ink.rgb, c, tinted), ink.a); }`));
  gl.linkProgram(program);
  buffers = { places: gl.createBuffer(), lines: gl.createBuffer(), triangles: gl.createBuffer(), free: gl.createBuffer(), held: gl.createBuffer(), ends: gl.createBuffer(), tints: gl.createBuffer() };
}

function upload() {
  if (!program) build();
  const put = (buffer, data) => {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, data, gl.STATIC_DRAW);
  };
  put(buffers.lines, drawing.lines);
  put(buffers.triangles, drawing.triangles);
  drawing.freePoints = drawing.points.filter((_, k) => !drawing.held[k]);
  drawing.heldPoints = drawing.points.filter((_, k) => drawing.held[k]);
  put(buffers.free, drawing.freePoints);
  put(buffers.held, drawing.heldPoints);
}

function fit(places) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < places.length; ++i) {
    low[i % 3] = Math.min(low[i % 3], places[i]);
    high[i % 3] = Math.max(high[i % 3], places[i]);
  }
  view.centre = low.map((each, k) => (each + high[k]) / 2);
  view.size = Math.max(drawing.size, Math.hypot(...high.map((each, k) => each - low[k])), 1e-9);
  Object.assign(view, { zoom: 1, fit: false, turn: drawing.planar ? 0 : 0.6, tilt: drawing.planar ? 0 : 0.35 });
}

/// Rows: right, up and towards the eye. Planar models are seen along z, others with z up.
function axes() {
  const c = Math.cos(view.turn), s = Math.sin(view.turn), a = Math.cos(view.tilt), b = Math.sin(view.tilt);
  if (drawing.planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  return [[c, s, 0], [-b * s, b * c, a], [a * s, -a * c, b]];
}
function scale() {
  const box = canvas.getBoundingClientRect();
  return (0.8 * view.zoom * Math.min(box.width, box.height)) / view.size; // pixels per metre
}
function look() {
  const [right, up, near] = axes(), box = canvas.getBoundingClientRect();
  const k = scale(), sx = (2 * k) / box.width, sy = (2 * k) / box.height, sz = -0.1 / view.size;
  const to = (row, f) => -f * (row[0] * view.centre[0] + row[1] * view.centre[1] + row[2] * view.centre[2]);
  return new Float32Array([right[0] * sx, up[0] * sy, near[0] * sz, 0, right[1] * sx, up[1] * sy, near[1] * sz, 0, right[2] * sx, up[2] * sy, near[2] * sz, 0, to(right, sx), to(up, sy), to(near, sz), 1]);
}
/// A function from vertices to their pixels on the canvas.
function lens() {
  const [right, up] = axes(), box = canvas.getBoundingClientRect(), k = scale(), p = live.places, c = view.centre;
  const on = (row, v) => k * (row[0] * (p[3 * v] - c[0]) + row[1] * (p[3 * v + 1] - c[1]) + row[2] * (p[3 * v + 2] - c[2]));
  return (vertex) => [box.width / 2 + on(right, vertex), box.height / 2 - on(up, vertex)];
}
const project = (vertex) => lens()(vertex);
live.project = project;
/// The place under pixels (x, y) at the depth of a vertex.
function place(x, y, depth) {
  const [right, up] = axes(), k = scale(), was = project(depth), p = live.places;
  return [0, 1, 2].map((n) => p[3 * depth + n] + ((x - was[0]) * right[n] - (y - was[1]) * up[n]) / k);
}

function paint() {
  const ratio = devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  gl.viewport(0, 0, width, height);
  const dark = darkness.matches;
  gl.clearColor(...(dark ? [0.078, 0.094, 0.114] : [0.933, 0.945, 0.961]), 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const places = live.places;
  if (!drawing || !live.head || !places || places.length !== 3 * drawing.vertices) return;
  if (view.fit) fit(places);
  gl.useProgram(program);
  gl.uniformMatrix4fv(gl.getUniformLocation(program, 'look'), false, look());
  const ink = gl.getUniformLocation(program, 'ink'), tinted = gl.getUniformLocation(program, 'tinted');
  gl.uniform1f(gl.getUniformLocation(program, 'dot'), Math.max(2, Math.min(9, 900 / Math.sqrt(drawing.vertices + 1))) * ratio);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers.places);
  gl.bufferData(gl.ARRAY_BUFFER, places, gl.STREAM_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.disableVertexAttribArray(1);
  gl.vertexAttrib1f(1, 0);
  gl.uniform1f(tinted, 0);
  const draw = (mode, buffer, count, colour, first = 0) => {
    if (!count) return;
    gl.uniform4fv(ink, colour);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.drawElements(mode, count, gl.UNSIGNED_INT, 4 * first);
  };
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(1, 1);
  draw(gl.TRIANGLES, buffers.triangles, drawing.triangles.length, dark ? [0.3, 0.4, 0.5, 1] : [0.72, 0.79, 0.86, 1]);
  const line = dark ? [0.7, 0.76, 0.82, 1] : [0.3, 0.36, 0.42, 1];
  const tensions = live.head.tensions;
  if (tensions.length) paintSprings(places, tensions, line, ink, tinted);
  else draw(gl.LINES, buffers.lines, 2 * drawing.first_sign_line, line);
  const signs = drawing.lines.length - 2 * drawing.first_sign_line;
  draw(gl.LINES, buffers.lines, signs, dark ? [0.95, 0.75, 0.3, 1] : [0.7, 0.33, 0.05, 1], 2 * drawing.first_sign_line);
  gl.disable(gl.DEPTH_TEST);
  draw(gl.POINTS, buffers.free, drawing.freePoints.length, dark ? [0.45, 0.7, 0.95, 1] : [0.1, 0.42, 0.66, 1]);
  draw(gl.POINTS, buffers.held, drawing.heldPoints.length, [0.78, 0.49, 0.04, 1]);
}

/// Springs in the colour of their force; broken ones are left out.
function paintSprings(places, tensions, line, ink, tinted) {
  const ends = new Float32Array(6 * tensions.length), tints = new Float32Array(2 * tensions.length);
  let count = 0;
  for (let s = 0; s < tensions.length; ++s) {
    if (tensions[s] === -128) continue;
    for (let e = 0; e < 2; ++e, ++count) {
      const v = 3 * drawing.lines[2 * s + e];
      ends[3 * count] = places[v];
      ends[3 * count + 1] = places[v + 1];
      ends[3 * count + 2] = places[v + 2];
      tints[count] = tensions[s] / 127;
    }
  }
  const stream = (buffer, index, size, data) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, size, gl.FLOAT, false, 0, 0);
  };
  stream(buffers.ends, 0, 3, ends);
  stream(buffers.tints, 1, 1, tints);
  gl.uniform4fv(ink, line);
  gl.uniform1f(tinted, 1);
  gl.drawArrays(gl.LINES, 0, count);
  gl.uniform1f(tinted, 0);
  gl.disableVertexAttribArray(1);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers.places);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
}

let frames = [], plotTurn = 0;
function frame(now) {
  requestAnimationFrame(frame);
  if (!changed) return;
  changed = false;
  paint();
  if (live.head) {
    frames.push(now);
    while (frames.length > 1 && now - frames[0] > 1000) frames.shift();
    live.rate = frames.length > 1 ? (1000 * (frames.length - 1)) / (now - frames[0]) : 0;
    if (++plotTurn % 4 === 0 || !live.head.running) {
      showPicture(live.head);
      plot($('energy-plot'), ['kinetic', 'potential'], (row, k) => row.energy[k]);
      plot($('channel-plot'), plotted, (row, k) => row.plotted[k]);
    }
  }
}

// --- mouse, touch, keys ------------------------------------------------------------------------
const kNear = 14; // pixels
const pointers = new Map();
let held = null, moved = false, startAt = null, sending = false, wanted = null;

function nearestVertex(x, y) {
  const pixels = lens();
  let best = -1, least = kNear;
  for (let v = 0; v < drawing.grips; ++v) {
    const [px, py] = pixels(v), d = Math.hypot(px - x, py - y);
    if (d < least) [best, least] = [v, d];
  }
  return best;
}
function nearestLine(x, y) {
  const pixels = lens();
  let best = -1, least = kNear;
  for (let s = 0; 2 * s < drawing.lines.length; ++s) {
    const [ax, ay] = pixels(drawing.lines[2 * s]), [bx, by] = pixels(drawing.lines[2 * s + 1]);
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const t = length > 0 ? Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
    const d = Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y);
    if (d < least) [best, least] = [s, d];
  }
  return best;
}
const at = (event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};
/// The pointer's last place goes to the program as soon as the one before has arrived.
async function drag(target) {
  wanted = target;
  if (sending) return;
  sending = true;
  while (wanted) {
    const next = wanted;
    wanted = null;
    await command({ do: 'drag', at: next });
  }
  sending = false;
}

canvas.addEventListener('pointerdown', (event) => {
  if (!drawing || !live.places) return;
  canvas.setPointerCapture(event.pointerId);
  const [x, y] = at(event);
  pointers.set(event.pointerId, [x, y]);
  [moved, startAt] = [false, [x, y]];
  held = pointers.size === 1 && event.button === 0 ? { vertex: nearestVertex(x, y), grabbed: false } : null;
  if (held?.vertex < 0) held = null;
});
canvas.addEventListener('pointermove', (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const [x, y] = at(event), dx = x - last[0], dy = y - last[1];
  if (Math.hypot(x - startAt[0], y - startAt[1]) > 3) moved = true;
  if (pointers.size === 2) {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    view.zoom *= Math.hypot(x - other[0], y - other[1]) / Math.max(1, Math.hypot(last[0] - other[0], last[1] - other[1]));
    pan(dx / 2, dy / 2);
  } else if (held) {
    if (moved) {
      const target = place(x, y, held.vertex);
      if (!held.grabbed) {
        held.grabbed = true;
        command({ do: 'grab', vertex: held.vertex, at: target });
      } else drag(target);
    }
  } else if (drawing.planar || event.buttons & 2 || event.shiftKey) pan(dx, dy);
  else {
    view.turn -= dx * 0.01;
    view.tilt = Math.max(-1.57, Math.min(1.57, view.tilt + dy * 0.01));
  }
  pointers.set(event.pointerId, [x, y]);
  changed = true;
});
function pan(dx, dy) {
  const [right, up] = axes(), k = scale();
  view.centre = view.centre.map((each, n) => each - (dx * right[n] - dy * up[n]) / k);
}
function lift(event) {
  if (!pointers.delete(event.pointerId)) return;
  if (held?.grabbed) {
    wanted = null;
    command({ do: 'release' });
  } else if (!moved && event.type === 'pointerup') pick(...at(event));
  held = null;
}
canvas.addEventListener('pointerup', lift);
canvas.addEventListener('pointercancel', lift);
canvas.addEventListener('contextmenu', (event) => event.preventDefault());
canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  view.zoom *= Math.exp(-event.deltaY * 0.001);
  changed = true;
}, { passive: false });

async function pick(x, y) {
  const vertex = nearestVertex(x, y), line = vertex < 0 ? nearestLine(x, y) : -1;
  showPicked((await command({ do: 'pick', ...(vertex >= 0 ? { vertex } : line >= 0 ? { line } : {}) }))?.answer);
}
live.pick = async (what) => showPicked((await command({ do: 'pick', ...what }))?.answer);
let picked = null;
function showPicked(found) {
  picked = found?.name ? found : null;
  $('picked').hidden = !picked;
  if (!picked) return;
  $('picked-name').textContent = picked.name;
  $('cut').hidden = !picked.can_cut;
  $('load').parentElement.hidden = $('add-load').hidden = !picked.place;
  $('fields').replaceChildren(...picked.fields.map((field) => {
    const row = document.createElement('div');
    row.className = 'field';
    const label = Object.assign(document.createElement('span'), { textContent: field.label });
    const value = Object.assign(document.createElement('span'), { textContent: short(field.value) });
    if (field.parameter) return row.append(label, value, field.parameter), row;
    const name = Object.assign(document.createElement('input'), { placeholder: 'name' });
    name.setAttribute('aria-label', 'name for ' + field.label);
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: '+' });
    button.title = 'make it a slider';
    const make = async () => {
      if (await command({ do: 'name', path: field.path, name: name.value })) $('picked').hidden = true;
    };
    button.addEventListener('click', make);
    name.addEventListener('keydown', (event) => event.key === 'Enter' && make());
    row.append(label, value, name, button);
    return row;
  }));
}

// --- buttons -----------------------------------------------------------------------------------
const click = (id, work) => $(id).addEventListener('click', work);
const toggle = () => command({ do: live.head?.running ? 'pause' : 'run' });
click('run', toggle);
click('step', () => command({ do: 'step' }));
click('restart', () => command({ do: 'restart' }));
click('keep-state', () => command({ do: 'keep-state' }));
click('return', () => command({ do: 'return' }));
click('find-hz', () => command({ do: 'frequencies' }));
click('cut', async () => {
  if (picked && (await command({ do: 'cut', path: picked.path }))) showPicked(null);
});
click('add-load', () => {
  const force = $('load').value.split(/[ ,;]+/).filter(Boolean).map(Number);
  while (force.length < 3) force.push(0);
  if (picked) command({ do: 'load', place: picked.place, force: force.slice(0, 3) });
});
click('keep', async () => {
  const status = await command({ do: 'keep' });
  if (status) $('kept').textContent = status.answer.files.join(', ');
});
function setPlots(names) {
  plotted.splice(0, plotted.length, ...names);
  history.length = 0;
  $('plotted').textContent = names.join(', ');
  return command({ do: 'plot', channels: names });
}
live.setPlots = setPlots;
click('plot', () => $('channel').value && setPlots([...plotted, $('channel').value]));
click('unplot', () => setPlots([]));
$('gravity').addEventListener('change', () => command({ do: 'gravity', on: $('gravity').checked }));
$('integrator').addEventListener('change', () => command({ do: 'stepping', integrator: $('integrator').value }));
$('length').addEventListener('change', () => command({ do: 'stepping', step: Number($('length').value) }));
$('speed').append(...[0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100].map((each) => new Option(each + ' ×', each, each === 1, each === 1)));
$('speed').addEventListener('change', () => command({ do: 'speed', value: Number($('speed').value) }));
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || /INPUT|SELECT|BUTTON|SUMMARY/.test(event.target.tagName)) return;
  event.preventDefault();
  toggle();
});
window.addEventListener('pagehide', () => {
  closing = true;
  if (session) close(session);
});
window.addEventListener('resize', () => (changed = true));

async function open() {
  try {
    if (!gl) throw new Error('this browser has no WebGL 2');
    const { models } = await (await ask('models')).json();
    $('model').replaceChildren(...models.map(({ name }) => new Option(name)));
    $('model').addEventListener('change', () => start($('model').value).catch((error) => say(error.message)));
    await start(models[0].name);
    requestAnimationFrame(frame);
    live.ready = true;
  } catch (error) {
    say(error.message);
    live.errors.push(error.message);
  }
}
open();
