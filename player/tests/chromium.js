// Drives a headless Chromium by the DevTools protocol over a pipe: no package, no port.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium',
  '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// The browser's path, or undefined where there is none.
export const chromiumPath = candidates.find((path) => path && existsSync(path));

const waitAtMost = 60_000;  // milliseconds for one answer, on a machine that has much to do

export class Chromium {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'player-'));
    this.process = spawn(chromiumPath, [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
      '--no-first-run', '--disable-dev-shm-usage', `--user-data-dir=${this.folder}`,
      'about:blank',
    ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.errors = [];
    this.requests = [];
    this.number = 0;
    let rest = '';
    this.process.stdio[4].on('data', (data) => {
      rest += data;
      const messages = rest.split('\0');
      rest = messages.pop();
      messages.forEach((message) => this.take(JSON.parse(message)));
    });
  }

  take(message) {
    if (message.id !== undefined) {
      const { resolve, reject, timer } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      clearTimeout(timer);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else if (message.method === 'Runtime.exceptionThrown') {
      const details = message.params.exceptionDetails;
      this.errors.push(details.exception?.description ?? details.text);
    } else if (message.method === 'Runtime.consoleAPICalled' && message.params.type === 'error') {
      this.errors.push(message.params.args.map((one) => one.description ?? one.value).join(' '));
    } else if (message.method === 'Network.requestWillBeSent') {
      this.requests.push(message.params.request.url);
    } else if (message.method === 'Page.loadEventFired') {
      this.loaded?.();
    }
  }

  send(method, params = {}) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), waitAtMost);
      this.waiting.set(id, { resolve, reject, timer });
      this.process.stdio[3].write(
          `${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    });
  }

  async begin() {
    const { targetInfos } = await this.send('Target.getTargets');
    const page = targetInfos.find((target) => target.type === 'page');
    const { sessionId } = await this.send('Target.attachToTarget',
        { targetId: page.targetId, flatten: true });
    this.session = sessionId;
    await this.send('Page.enable');
    await this.send('Runtime.enable');
    await this.send('Network.enable');
    return this;
  }

  async open(path, { width = 1280, height = 900, dark = false, still = false, hash = '' } = {}) {
    await this.send('Emulation.setDeviceMetricsOverride',
        { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send('Emulation.setTouchEmulationEnabled', { enabled: width < 600 });
    await this.send('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: still ? 'reduce' : 'no-preference' },
    ] });
    this.errors = [];
    this.requests = [];
    await this.go('about:blank');  // a change of what is after # alone would load nothing
    await this.go(`file://${encodeURI(path)}${hash}`);
  }

  async go(url) {
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    await this.send('Page.navigate', { url });
    await loaded;
  }

  // The same page once more, at another hash. It stays in its process: another process may read
  // localStorage before it holds what this one wrote.
  async reload({ hash = '' } = {}) {
    await this.ask(`history.replaceState(null, '', ${JSON.stringify(hash || '#')})`);
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    await this.send('Page.reload');
    await loaded;
  }

  // The value of an expression in the page.
  async ask(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
        { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  // A key as a person presses it: "ArrowRight", "n", "0", "Tab", " ".
  async press(key) {
    const codes = { ArrowRight: 39, ArrowLeft: 37, Home: 36, End: 35, Tab: 9, Enter: 13, ' ': 32 };
    const event = { key, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
    await Promise.all([
      this.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...event }),
      this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }),
    ]);
  }

  // The value of an expression after a key.
  async after(key, expression) {
    await this.press(key);
    return this.ask(expression);
  }

  // A click in the middle of the element that the selector finds, once the page is drawn there.
  async click(selector) {
    const where = await this.ask(`(async () => {
      const found = document.querySelector(${JSON.stringify(selector)});
      if (!found) return null;
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      for (const frame of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
      const box = found.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    if (where === null) throw new Error(`nothing to click at ${selector}`);
    const event = { ...where, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
  }

  // A finger from one point to another.
  async swipe(from, to) {
    await this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
    await this.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [to] });
    await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  // A picture of the whole page or of what is in view, as PNG.
  async picture(whole = false) {
    const { data } = await this.send('Page.captureScreenshot',
        { format: 'png', captureBeyondViewport: whole });
    return Buffer.from(data, 'base64');
  }

  async end() {
    const ended = new Promise((resolve) => { this.process.on('exit', resolve); });
    await this.send('Browser.close').catch(() => this.process.kill());
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
