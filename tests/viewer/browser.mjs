// A headless Chromium driven over its own pipe: no package and no network.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';

export function chromium() {
  const named = process.env.FEMFLEX_CHROMIUM;
  return [named, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
}

export class Browser {
  static async start(width = 1200, height = 760) {
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), 'femflex-view-'));
    browser.process = spawn(
      chromium(),
      ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions', '--hide-scrollbars',
        '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-proxy-server',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--force-color-profile=srgb', `--window-size=${width},${height}`, `--user-data-dir=${browser.folder}`, '--remote-debugging-pipe', 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    browser.waiting = new Map();
    browser.last = 0;
    browser.errors = [];
    browser.requests = [];
    let rest = Buffer.alloc(0);
    browser.process.stdio[4].on('data', (piece) => {
      rest = Buffer.concat([rest, piece]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        browser.take(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
    browser.process.on('exit', () => {
      for (const { fail } of browser.waiting.values()) fail(new Error('the browser ended'));
    });
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    browser.session = (await browser.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    for (const part of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(part + '.enable');
    await browser.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    return browser;
  }

  take(message) {
    if (message.id) {
      const { done, fail } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      return message.error ? fail(new Error(message.error.message)) : done(message.result);
    }
    const p = message.params;
    if (message.method === 'Runtime.exceptionThrown') this.errors.push(p.exceptionDetails.exception?.description ?? p.exceptionDetails.text);
    if (message.method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(p.type))
      this.errors.push(p.args.map((each) => each.value ?? each.description).join(' '));
    // the driver of the software renderer speaks of its own speed; that is not the page's
    if (message.method === 'Log.entryAdded' && p.entry.level === 'error') this.errors.push(p.entry.text);
    if (message.method === 'Network.requestWillBeSent') this.requests.push(p.request.url);
  }

  send(method, params = {}) {
    const id = ++this.last;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + '\0');
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }

  async open(file) {
    this.errors.length = 0;
    this.requests.length = 0;
    await this.send('Page.navigate', { url: pathToFileURL(file).href });
    await this.until('window.femflex?.ready || window.femflex?.errors.length');
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression, seconds = 60) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise((done) => setTimeout(done, 30)))
      if (await this.evaluate(`Boolean(${expression})`)) return;
    throw new Error(`not within ${seconds} s: ${expression}; ${this.errors.join('; ')}`);
  }

  // Two frames, so that what was asked for is drawn
  settle() {
    return this.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
  }

  async click(selector) {
    const [x, y] = await this.evaluate(
      `(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: 'nearest' }); const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`,
    );
    return this.clickAt(x, y);
  }

  async clickAt(x, y) {
    for (const type of ['mousePressed', 'mouseReleased']) await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
    await this.settle();
  }

  async drag(x, y, dx, dy) {
    const move = (type, k, buttons) => this.send('Input.dispatchMouseEvent', { type, x: x + dx * k, y: y + dy * k, button: 'left', buttons, clickCount: 1 });
    await move('mousePressed', 0, 1);
    for (const k of [0.25, 0.5, 0.75, 1]) await move('mouseMoved', k, 1);
    await move('mouseReleased', 1, 0);
    await this.settle();
  }

  async key(key, code = key) {
    const text = key.length === 1 ? { text: key } : {};
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
    await this.settle();
  }

  async screenshot(clip) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', ...(clip ? { clip: { ...clip, scale: 1 } } : {}) });
    return Buffer.from(data, 'base64');
  }

  // The picture alone, as pixels
  async picture() {
    await this.settle();
    const clip = await this.evaluate(
      `(() => { const r = document.querySelector('#stage').getBoundingClientRect(); return { x: r.left, y: r.top, width: r.width, height: r.height }; })()`,
    );
    return pixels(await this.screenshot(clip));
  }

  async stop() {
    await this.send('Browser.close').catch(() => {});
    const ended = () => new Promise((done) => { this.process.once('exit', done); setTimeout(done, 3000); });
    if (this.process.exitCode === null) await ended();
    if (this.process.exitCode === null && this.process.kill('SIGKILL')) await ended();
    try {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch {
      // on a busy machine, children of the browser may write there for some seconds more
    }
  }
}

// PNG, 8 bits a channel, without interlace, as Chromium writes it (RFC 2083)
export function pixels(png) {
  let at = 8;
  const parts = [];
  let width = 0, height = 0, channels = 0;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[body[9]];
    }
    if (type === 'IDAT') parts.push(body);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const data = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? data[y * stride + x - channels] : 0;
      const up = y > 0 ? data[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? data[(y - 1) * stride + x - channels] : 0;
      let guess = 0;
      if (filter === 1) guess = left;
      else if (filter === 2) guess = up;
      else if (filter === 3) guess = (left + up) >> 1;
      else if (filter === 4) {
        const p = left + up - corner;
        const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
        guess = a <= b && a <= c ? left : b <= c ? up : corner;
      }
      data[y * stride + x] = (raw[y * (stride + 1) + 1 + x] + guess) & 255;
    }
  }
  return { width, height, channels, data };
}

// Share of pixels that are not the commonest colour, and number of colours
export function spread({ width, height, channels, data }) {
  const counts = new Map();
  for (let i = 0; i < width * height; i++) {
    const key = (data[i * channels] << 16) | (data[i * channels + 1] << 8) | data[i * channels + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { drawn: 1 - Math.max(...counts.values()) / (width * height), colours: counts.size };
}

// Share of pixels in which two pictures differ
export function difference(a, b) {
  let count = 0;
  for (let i = 0; i < a.width * a.height; i++)
    for (let k = 0; k < 3; k++)
      if (Math.abs(a.data[i * a.channels + k] - b.data[i * b.channels + k]) > 6) {
        count++;
        break;
      }
  return count / (a.width * a.height);
}
