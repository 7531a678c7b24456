// Buttons, keys and swipes: they call what the page does, and know nothing of traces.
import { element, setText } from './dom.js';
import { say } from './sentences.js';

const playPause = 1100;  // milliseconds from step to step

export class Controls {
  // `actions`: start, back, forward, end, thread, report, restart, choose(letter or digit);
  // forward() returns false where it cannot go on.
  constructor(target, actions) {
    this.actions = actions;
    this.timer = null;
    const button = (name, sign, text, title = null) => element('button', {
      type: 'button', id: `go-${name}`, title, 'aria-label': title ?? text,
      onclick: () => this.act(name),
    }, element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
        element('span', { class: 'text' }, text));
    this.buttons = {
      start: button('start', '\u21e4', say('go.start')),
      back: button('back', '\u2190', say('go.back')),
      play: button('play', '\u25b6\ufe0e', say('go.play')),
      forward: button('forward', '\u2192', say('go.forward')),
      end: button('end', '\u21e5', say('go.end')),
      thread: button('thread', '\u2913', say('go.thread'), say('go.thread.long')),
      report: button('report', '\u26a0\ufe0e', say('go.report')),
    };
    this.slider = element('input', {
      type: 'range', id: 'go-position', min: '0', max: '0', value: '0',
      'aria-label': say('go.position.label'),
    });
    this.slider.addEventListener('input', () => {
      this.pause();
      this.actions.moveTo(Number(this.slider.value));
    });
    this.text = element('span', { class: 'position' });
    target.replaceChildren(element('div', { class: 'buttons' }, ...Object.values(this.buttons)),
        element('div', { class: 'slide' }, this.slider, this.text));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  act(name) {
    if (name === 'play') {
      if (this.timer === null) this.play();
      else this.pause();
      return;
    }
    this.pause();
    this.actions[name]();
  }

  play() {
    if (!this.actions.forward()) return;
    this.setPlaying(setInterval(() => {
      if (!this.actions.forward()) this.pause();
    }, playPause));
  }

  pause() {
    clearInterval(this.timer);
    this.setPlaying(null);
  }

  setPlaying(timer) {
    this.timer = timer;
    const button = this.buttons.play;
    const text = say(timer === null ? 'go.play' : 'go.pause');
    button.setAttribute('aria-label', text);
    setText(button.querySelector('.sign'), timer === null ? '\u25b6\ufe0e' : '\u2016');
    setText(button.querySelector('.text'), text);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target instanceof HTMLInputElement) return;
    // A list takes the keys that it knows, but a digit would choose another level in it.
    if (target instanceof HTMLSelectElement && !/^[0-9]$/.test(event.key)) return;
    const name = {
      ArrowRight: 'forward', ArrowLeft: 'back', Home: 'start', End: 'end', n: 'thread',
      x: 'report', r: 'start',
    }[event.key];
    if (name) {
      this.act(name);
    } else if (event.key === ' ') {
      if (target instanceof HTMLButtonElement || target.tagName === 'SUMMARY') return;
      this.act('play');
    } else if (/^[0-9qwetyuiopQWETYUIOP]$/.test(event.key)) {
      this.pause();
      this.actions.choose(event.key);
    } else {
      return;
    }
    event.preventDefault();
  }

  // A swipe to the left goes on, one to the right back.
  swipesOn(target) {
    let begun = null;
    target.addEventListener('touchstart', (event) => {
      begun = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    target.addEventListener('touchend', (event) => {
      if (begun === null) return;
      const x = event.changedTouches[0].clientX - begun.clientX;
      const y = event.changedTouches[0].clientY - begun.clientY;
      begun = null;
      if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) this.act(x < 0 ? 'forward' : 'back');
    }, { passive: true });
  }

  // `can`: which buttons have something to do. A button that has the focus keeps it: it is told to
  // be disabled, and stays where it is. `length` is null where it is not known how far it goes on.
  show(position, length, can) {
    for (const [name, button] of Object.entries(this.buttons)) {
      button.setAttribute('aria-disabled', String(!(can[name] ?? true)));
    }
    this.buttons.report.hidden = can.report === undefined;
    this.slider.max = String(length ?? position);
    this.slider.value = String(position);
    const text = length === null ? say('go.position.open', { position })
        : say('go.position', { position, length });
    setText(this.text, text);
    this.slider.setAttribute('aria-valuetext', text);
  }
}
