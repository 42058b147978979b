// node live_test.mjs CASE FEMFLEX: the live page in a headless Chromium, with the program behind it.
// Ends with 77 (skipped) where there is no browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, chromium, spread } from './browser.mjs';

const [name, program] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'femflex-live-'));
const oscillator = {
  dimension: 2,
  parameters: { k: 100, m: 2 },
  nodes: [{ id: 1, x: [0, 0], fixed: true }, { id: 2, x: [1, 0], mass: '=m' }],
  springs: [{ i: 1, j: 2, k: '=k', law: 'linear', damping: 2 }],
};

let port = 0;
const address = (path) => `http://127.0.0.1:${port}${path}`;

/// The program, once it listens.
async function served() {
  writeFileSync(join(folder, 'oscillator.json'), JSON.stringify(oscillator));
  const server = spawn(program, ['live', 'oscillator.json', '--port-file', 'port', '--quiet'], { cwd: folder, stdio: 'ignore' });
  for (let k = 0; k < 600 && !existsSync(join(folder, 'port')); ++k) await new Promise((done) => setTimeout(done, 50));
  port = Number(readFileSync(join(folder, 'port'), 'utf8'));
  return server;
}
async function visit(browser) {
  browser.errors.length = 0;
  await browser.send('Page.navigate', { url: address('/live/') });
  await browser.until('window.femflexLive?.ready && femflexLive.head || window.femflexLive?.errors.length');
}
function clean(browser) {
  assert.deepEqual(browser.errors, [], 'nothing on the console');
  assert.deepEqual(browser.requests.filter((url) => !url.startsWith(address('/')) && !/^(data|blob|about):/.test(url)), [], 'nothing from outside');
}
const status = (path, headers = {}, method = 'GET', body = '') =>
  new Promise((done, fail) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    asked.on('error', fail);
    asked.end(body);
  });
const x = 'femflexLive.places[3]';
const choose = (browser, model) =>
  browser
    .evaluate(`(() => { femflexLive.status = null; const e = document.querySelector('#model'); e.value = '${model}'; e.dispatchEvent(new Event('change')); })()`)
    .then(() => browser.until(`femflexLive.head && femflexLive.status?.model === '${model}'`));

const cases = {
  // Closed form: sqrt(k / m) / 2 pi of the value that the slider shows.
  async ASliderMovesAFrequencyToItsClosedForm(browser) {
    await visit(browser);
    const hz = async () => Math.max(...(await browser.evaluate('femflexLive.head.hz')));
    assert.ok(Math.abs((await hz()) - Math.sqrt(100 / 2) / (2 * Math.PI)) < 1e-6);
    await browser.evaluate("(() => { const s = document.querySelector('#sliders input[type=range]'); s.value = 0.75; s.dispatchEvent(new Event('input')); })()");
    await browser.until('femflexLive.status.sliders[0].value > 101');
    const k = await browser.evaluate('femflexLive.status.sliders[0].value');
    await browser.until(`Math.abs(Math.max(...femflexLive.head.hz) - ${Math.sqrt(k / 2) / (2 * Math.PI)}) < 1e-6`);
    const { drawn, colours } = spread(await browser.picture());
    assert.ok(drawn > 1e-4 && colours > 1, `the canvas is not blank: ${drawn}, ${colours}`);
  },

  // Statics: the pointer's spring is as stiff as the model's springs at the node, here by half in
  // the mean of both directions, so the node comes to a third of the way at least.
  async ADraggedNodeFollowsThePointer(browser) {
    await visit(browser);
    await browser.click('#run');
    await browser.until('femflexLive.head.running');
    const [px, py] = await browser.evaluate('(() => { const p = femflexLive.project(1), r = document.querySelector("#canvas").getBoundingClientRect(); return [r.left + p[0], r.top + p[1]]; })()');
    const metre = await browser.evaluate('femflexLive.project(1)[0] - femflexLive.project(0)[0]');
    const mouse = (type, k, buttons) => browser.send('Input.dispatchMouseEvent', { type, x: px - k * metre * 0.3, y: py, button: 'left', buttons, clickCount: 1 });
    await mouse('mousePressed', 0, 1);
    for (const k of [0.25, 0.5, 0.75, 1]) await mouse('mouseMoved', k, 1);
    await browser.until(`${x} < 0.9`);
    await mouse('mouseReleased', 1, 0);
    await browser.until(`${x} > 0.99`);
  },

  // Truth: the clock stands while paused; the files of "keep this" are those of the slider's value.
  async PauseAndKeepWork(browser) {
    await visit(browser);
    await browser.click('#run');
    await browser.until('femflexLive.head.time > 0.2');
    await browser.click('#run');
    await browser.until('!femflexLive.head.running');
    const time = await browser.evaluate('femflexLive.head.time');
    await browser.evaluate("femflexLive.command({ do: 'set', name: 'k', value: 222 })");
    await browser.until('femflexLive.status.sliders[0].value === 222');
    assert.equal(await browser.evaluate('femflexLive.head.time'), time);
    await browser.click('#keep');
    await browser.until("document.querySelector('#kept').textContent");
    assert.equal(JSON.parse(readFileSync(join(folder, 'oscillator-kept-1.json'), 'utf8')).parameters.k, 222);
    assert.ok(existsSync(join(folder, 'oscillator-kept-1.h5')));
    // a spring is picked, its number gets a name and so a slider
    await browser.evaluate('femflexLive.pick({ line: 0 })');
    await browser.until("document.querySelector('#picked-name').textContent === 'spring 1'");
    await browser.evaluate("femflexLive.command({ do: 'name', path: 'springs/0/damping', name: 'c' })");
    await browser.until("femflexLive.status.sliders.some((each) => each.name === 'c')");
  },

  // Closed form: the load F moves the rest from 1 m to 1 + F / k, and back when it is cut.
  async ALoadIsDrawnPickedAndCut(browser) {
    await visit(browser);
    await browser.evaluate("femflexLive.command({ do: 'load', place: '2', force: [20, 0, 0] })");
    await browser.until('femflexLive.places?.length === 18');
    await browser.evaluate("femflexLive.command({ do: 'run' })");
    await browser.until(`Math.abs(${x} - 1.2) < 0.01 && femflexLive.head.time > 8 || femflexLive.head.time > 60`);
    assert.ok(Math.abs((await browser.evaluate(x)) - 1.2) < 0.01);
    await browser.evaluate("femflexLive.command({ do: 'pause' })");
    await browser.until('!femflexLive.head.running');
    // a click on the middle of the arrow, vertices 2 (foot) and 3 (tip)
    const [px, py] = await browser.evaluate(
      '(() => { const [a, b] = [2, 3].map(femflexLive.project), r = document.querySelector("#canvas").getBoundingClientRect(); return [r.left + (a[0] + b[0]) / 2, r.top + (a[1] + b[1]) / 2]; })()',
    );
    for (const type of ['mousePressed', 'mouseReleased'])
      await browser.send('Input.dispatchMouseEvent', { type, x: px, y: py, button: 'left', buttons: type === 'mousePressed' ? 1 : 0, clickCount: 1 });
    await browser.until("document.querySelector('#picked-name').textContent === 'load 1'");
    await browser.click('#cut');
    await browser.until('femflexLive.places?.length === 6');
    await browser.evaluate("femflexLive.command({ do: 'speed', value: 5 })");
    await browser.evaluate("femflexLive.command({ do: 'run' })");
    await browser.until(`Math.abs(${x} - 1) < 0.01 && femflexLive.head.time > 20 || femflexLive.head.time > 300`);
    assert.ok(Math.abs((await browser.evaluate(x)) - 1) < 0.01);
  },

  // Every model of the gallery is drawn and runs without a word on the console.
  async TheGalleryRuns(browser) {
    await visit(browser);
    const models = await browser.evaluate("[...document.querySelector('#model').options].map((each) => each.text)");
    assert.equal(models.length, 11);
    for (const model of models) {
      await choose(browser, model);
      await browser.evaluate("femflexLive.command({ do: 'run' })");
      await browser.until('femflexLive.head.time > 0.05 || femflexLive.head.message');
      assert.equal(await browser.evaluate('femflexLive.head.message'), '', model);
      const { drawn } = spread(await browser.picture());
      assert.ok(drawn > 1e-4, `${model} is drawn: ${drawn}`);
    }
  },

  // Truth: the width of the page is that of the phone, and the buttons lie inside.
  async APhoneIsWideEnough(browser) {
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 360, height: 740, deviceScaleFactor: 2, mobile: true });
    await visit(browser);
    assert.ok((await browser.evaluate('document.documentElement.scrollWidth')) <= 360, 'nothing sticks out');
    const right = await browser.evaluate("Math.max(...[...document.querySelectorAll('button, select, input')].map((e) => e.getBoundingClientRect().right))");
    assert.ok(right <= 360, `controls end at ${right}`);
    await browser.evaluate("document.querySelector('#run').click()");
    await browser.until('femflexLive.head.running');
  },

  // Two pages have two sessions, that run each on its own; the run of a page that is left is gone.
  async TwoPagesAreTwoRunsAndALeftPageEndsItsRun(browser) {
    await visit(browser);
    const first = await browser.evaluate('femflexLive.session');
    const other = await Browser.start();
    try {
      await visit(other);
      const second = await other.evaluate('femflexLive.session');
      assert.notEqual(first, second);
      await other.click('#run');
      await other.until('femflexLive.head.time > 0.1');
      assert.equal(await browser.evaluate('femflexLive.head.time'), 0);
      await other.send('Page.navigate', { url: 'about:blank' });
      let left = 200;
      for (let k = 0; k < 100 && left === 200; ++k, await new Promise((done) => setTimeout(done, 50))) left = await status(`/live/${second}/drawing`);
      assert.equal(left, 404);
      assert.equal(await status(`/live/${first}/drawing`), 200);
    } finally {
      await other.stop();
    }
  },

  // Truth: the headers. A page of another site cannot start, see or steer a run.
  async OtherHostsAndOriginsAreRefused(browser) {
    await visit(browser);
    assert.equal(await status('/live/', { Host: 'evil.example' }), 421);
    assert.equal(await status('/live/sessions', { Origin: 'http://evil.example' }, 'POST', '{"model":"ladder"}'), 403);
    assert.equal(await status('/live/sessions', { Origin: address('') }, 'POST', '{"model":"ladder"}'), 200);
    assert.equal(await status('/live/sessions', {}, 'POST', '{"model":"nothing"}'), 400);
    assert.equal(await status('/live/0123/command', {}, 'POST', '{"do":"run"}'), 404);
  },
};

if (!cases[name]) throw new Error(`no case '${name}'`);
if (!chromium()) {
  console.log('skipped: there is no Chromium here (Debian package chromium, or FEMFLEX_CHROMIUM)');
  process.exit(77);
}
const server = await served();
const browser = await Browser.start();
try {
  await cases[name](browser);
  clean(browser);
} finally {
  await browser.stop();
  server.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
