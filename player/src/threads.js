// The steps as a drawing: columns are threads, streams and copies, and time runs down, a row for
// each step. What is ahead stands there in grey, so that the way on can be seen.
import { boxOf } from './describe.js';
import { drawn, element } from './dom.js';
import { Run } from './model.js';
import { say } from './sentences.js';

const gutter = 34;   // the steps' numbers
// Pixels from step to step, and of a box, by the number of its lines of text.
const heights = { 2: { row: 48, box: 38 }, 3: { row: 62, box: 53 } };
const least = 92;    // a column has at least this width where all columns fit beside each other,
const narrow = 122;  // else at least this, or as much as the boxes' words want
const wide = 310;    // and at most this;
const most = 166;    // what words want counts up to here
const scrollbar = 18;
const margin = 6;    // from a box to the edge of its column
const smallLetter = 6.65;

export const threadColors = 6;  // as many as style.css has

export function colorOf(thread) {
  return thread % threadColors;
}

function shortened(text, width, letterWidth) {
  const fits = Math.max(3, Math.floor((width - 8) / letterWidth));
  if (text.length <= fits) return text;
  // Of an array without a name, the index tells which element it is.
  const [indexed] = /^.*?\[\d+\](?= of |\uff08)/.exec(text) ?? [];
  if (indexed !== undefined) {
    return indexed.length < fits ? `${text.slice(0, fits - 1)}\u2026`
        : shortened(indexed, width, letterWidth);
  }
  // The end tells which of an array it is, and of a step the beginning what is done.
  const begin = text.includes(' ') ? Math.min(6, Math.ceil(fits / 2) - 1) : 0;
  return `${text.slice(0, begin)}\u2026${text.slice(text.length - (fits - begin - 1))}`;
}

export class ThreadsView {
  // `chosen` is called with the position after the step that the reader points at.
  constructor(target, chosen) {
    this.target = target;
    this.chosen = chosen;
    this.run = null;
    this.head = element('div', { class: 'heads' });
    this.scroller = element('div', { class: 'lanes', tabindex: '0', role: 'group' });
    this.scroller.setAttribute('aria-label', say('part.steps'));
    target.replaceChildren(this.scroller);
  }

  // Draws all steps of a run; show() then says which of them have been made.
  draw(run) {
    this.run = run;
    const count = run.threads.length;
    const columns = run.columns();
    this.places = new Map(columns.map((thread, place) => [thread, place]));
    const room = Math.max(240, this.scroller.offsetWidth - scrollbar) - gutter;
    const share = Math.floor(room / count);
    const longest = Math.max(0, ...run.steps.filter((step) => step.kind !== 'others')
        .flatMap((step) => boxOf(run, step).map((line) => line.length)));
    const wanted = Math.ceil(longest * smallLetter) + 2 * margin + 12;
    this.column = share < least ? Math.max(narrow, Math.min(most, wanted))
        : Math.min(wide, share);
    const small = share < least || this.column < 140;
    this.letterWidth = small ? smallLetter : 7.25;
    this.boxWidth = this.column - 2 * margin - (small ? 4 : 14);
    // Where a name does not fit beside what is done to it, it gets a line of its own.
    this.splits = run.steps.some((step) => step.thread !== null &&
        boxOf(run, step)[0].includes(' ') && !this.fits(boxOf(run, step)[0]));
    Object.assign(this, heights[this.splits ? 3 : 2]);
    const width = gutter + this.column * count;
    // Above the first step stands what was there before it, where a step reads that.
    this.top = run.steps.some((step) => step.stale && typeof step.reads !== 'number') ? 20 : 0;
    const height = this.top + Math.max(1, run.length) * this.row + 12;
    this.head = element('div', { class: 'heads', style: `width:${width}px` },
        element('span', { style: `width:${gutter}px` }),
        ...columns.map((index) => element('span', {
          class: `head thread${colorOf(index)}`,
          style: `width:${this.column}px`,
          title: run.threads[index].name,
        }, element('b', {}, run.signOf(index)), ` ${run.nameOf(index)}`)));
    const svg = drawn('svg', {
      width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true',
      class: small ? 'small-letters' : '',
    });
    svg.append(this.arrowHeads());
    for (let thread = 0; thread < count; ++thread) {
      const x = this.center(thread);
      svg.append(drawn('line', { class: 'lane', x1: x, x2: x, y1: 0, y2: height }));
    }
    this.held = [];
    run.words.forEach((word, index) => {
      if (word.role !== 'lock') return;
      for (const span of run.holds(index)) this.held.push({ ...span, name: word.name });
    });
    this.bands = this.held.map((span) => {
      const band = drawn('rect', {
        class: 'held', x: this.center(span.thread) - this.column / 2 + 3, width: 5,
        y: this.middle(span.from), height: 0,
      });
      band.append(drawn('title', {}, say('box.holds', { word: span.name })));
      svg.append(band);
      return band;
    });
    // Below the boxes: an arrow that passes one does not cross its text.
    this.arrows = run.steps.map((_, index) => {
      const group = drawn('g', { class: 'arrows' }, ...this.arrowsOf(index));
      svg.append(group);
      return group;
    });
    this.missing = run.reports.filter((report) => report.missing).map((report) => ({
      at: Math.max(report.missing.from, report.missing.to),
      steps: [report.missing.from, report.missing.to],
      outdated: run.outdatedRead(report),
      group: this.missingEdge(report.missing),
    }));
    for (const { group } of this.missing) svg.append(group);
    this.groups = run.steps.map((_, index) => {
      const group = this.stepGroup(index);
      svg.append(group);
      return group;
    });
    this.marked = [];
    this.scroller.replaceChildren(this.head, svg);
    this.shown = 0;
  }

  // Whether a line of a box is shown whole, or as far as it tells which element is meant.
  fits(text) {
    return text.startsWith(shortened(text, this.boxWidth, this.letterWidth));
  }

  center(thread) {
    return gutter + this.column * (this.places.get(thread) + 0.5);
  }

  middle(index) {
    return this.top + index * this.row + this.row / 2;
  }

  arrowHeads() {
    const definitions = drawn('defs');
    for (const kind of ['saw', 'edge', 'stale', 'missing']) {
      definitions.append(drawn('marker', {
        id: `head-${kind}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
        markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse',
      }, drawn('path', { class: `head-${kind}`, d: 'M0 0 L8 4 L0 8 Z' })));
    }
    return definitions;
  }

  stepGroup(index) {
    const run = this.run;
    const step = run.steps[index];
    const y = this.middle(index);
    const group = drawn('g', { class: 'step ahead' });
    group.addEventListener('click', () => this.chosen(index + 1));
    group.append(drawn('text', { class: 'number', x: gutter - 8, y: y + 4 }, String(index + 1)));
    const [first, second] = boxOf(run, step);
    if (step.thread === null) {
      const text = shortened(first, this.column * run.threads.length, this.letterWidth);
      group.append(drawn('rect', {
        class: 'behind', x: gutter + 2, y: y - 9, width: text.length * this.letterWidth + 8,
        height: 18,
      }), drawn('text', { class: 'others', x: gutter + 6, y: y + 4 }, text));
      return group;
    }
    const boxWidth = this.boxWidth;
    const x = this.center(step.thread) - boxWidth / 2;
    const kind = step.fault ? 'fault' : Run.failed(step) ? 'failed' : step.kind;
    group.classList.add(`thread${colorOf(step.thread)}`, `kind-${kind}`);
    if (step.stale) group.classList.add('stale');
    const line = this.meetingLine(index);
    if (line) group.append(line);
    group.append(drawn('rect', {
      class: 'box', x, y: y - this.box / 2, width: boxWidth, height: this.box,
      rx: step.kind === 'barrier' || step.kind === 'fence' ? 2 : 7,
    }));
    if (step.kind === 'atomic') {  // a frame in the frame: the steps in it are one
      group.append(drawn('rect', {
        class: 'inner', x: x + 3, y: y - this.box / 2 + 3, width: boxWidth - 6,
        height: this.box - 6, rx: 4,
      }));
    }
    const center = this.center(step.thread);
    const space = this.fits(first) ? -1 : first.indexOf(' ');
    const what = space < 0 ? [first] : [first.slice(0, space), first.slice(space + 1)];
    const lines = second ? [...what, second] : what;
    lines.forEach((text, number) => group.append(drawn('text', {
      class: number < what.length ? 'what' : 'value',
      x: center,
      y: y + 4 - (lines.length - 1) * 7 + number * 15,
    }, shortened(text, boxWidth, this.letterWidth))));
    const title = drawn('title', {}, `${run.nameOf(step.thread)}: ${first} ${second}`);
    group.append(title);
    return group;
  }

  // Where the last of a meeting comes, a line goes across all that meet.
  meetingLine(index) {
    const step = this.run.steps[index];
    if (step.meeting === undefined) return null;
    const meeting = this.run.meetings.get(step.meeting);
    if (meeting.length < 2 || meeting[meeting.length - 1] !== index) return null;
    const centers = meeting.map((other) => this.center(this.run.steps[other].thread));
    const y = this.middle(index) + this.box / 2 + 4;
    const lines = drawn('g', { class: 'meeting' });
    lines.append(drawn('line', {
      x1: Math.min(...centers) - this.column / 2 + 4,
      x2: Math.max(...centers) + this.column / 2 - 4, y1: y, y2: y,
    }));
    for (const other of meeting) {
      if (other === index) continue;
      const x = this.center(this.run.steps[other].thread);
      lines.append(drawn('line', { x1: x, x2: x, y1: this.middle(other) + this.box / 2, y2: y }));
    }
    return lines;
  }

  // A curve from one box to another, from side to side. `shift` keeps two of them apart.
  curve(from, to, shift = 0) {
    const a = this.run.steps[from].thread ?? this.run.steps[to].thread;
    const b = this.run.steps[to].thread ?? a;
    const half = this.boxWidth / 2;
    const ya = this.middle(from) + shift;
    const yb = this.middle(to) + shift;
    if (a === b) {
      const x = this.center(a) + half;
      return `M${x} ${ya} C${x + 14} ${ya} ${x + 14} ${yb} ${x} ${yb}`;
    }
    const side = this.center(a) < this.center(b) ? 1 : -1;
    const xa = this.center(a) + side * half;
    const xb = this.center(b) - side * half;
    const bend = Math.max(14, Math.abs(xb - xa) * 0.5);
    return `M${xa} ${ya} C${xa + side * bend} ${ya} ${xb - side * bend} ${yb} ${xb} ${yb}`;
  }

  arrowsOf(index) {
    const run = this.run;
    const step = run.steps[index];
    const arrows = [];
    const add = (from, kind, shift) => arrows.push(drawn('path', {
      class: `arrow ${kind}`, d: this.curve(from, index, shift), 'marker-end': `url(#head-${kind})`,
    }));
    if (typeof step.reads === 'number' &&
        (step.stale || run.steps[step.reads].thread !== step.thread)) {
      add(step.reads, step.stale ? 'stale' : 'saw', -5);
    } else if (step.stale) {  // the first value: it was there before all steps
      const x = this.center(step.thread) + this.boxWidth / 2;
      const y = this.middle(index) - 5;
      const beside = x + (this.column - this.boxWidth) / 4 + 2;
      arrows.push(drawn('text', { class: 'first', x: beside, y: 13 }, say('words.first')),
          drawn('path', {
            class: 'arrow stale', d: `M${beside} 17 L${beside} ${y - 12} Q${beside} ${y} ${x} ${y}`,
            'marker-end': 'url(#head-stale)',
          }));
    }
    for (const edge of step.edges ?? []) {
      if (edge.kind !== 'barrier') add(edge.from, 'edge', 6);  // a barrier is a line across
    }
    return arrows;
  }

  missingEdge(missing) {
    const [from, to] = [missing.from, missing.to].sort((a, b) => a - b);
    return drawn('g', { class: 'missing ahead' }, drawn('path', {
      class: 'arrow missing', d: this.curve(from, to), 'marker-end': 'url(#head-missing)',
      'marker-start': 'url(#head-missing)',
    }, drawn('title', {}, say('missing.label'))));
  }

  show(position) {
    const run = this.run;
    const [low, high] = [Math.min(position, this.shown), Math.max(position, this.shown)];
    for (let index = Math.max(0, low - 1); index < Math.min(high + 1, run.length); ++index) {
      this.groups[index].classList.toggle('ahead', index >= position);
      this.groups[index].classList.toggle('now', index === position - 1);
      this.arrows[index].classList.toggle('ahead', index >= position);
      this.arrows[index].classList.toggle('now', index === position - 1);
    }
    if (position === 0 || this.shown === 0) {
      this.arrows.forEach((arrow, index) => arrow.classList.toggle('ahead', index >= position));
    }
    this.held.forEach((span, number) => {
      const to = Math.min(span.to ?? run.length - 1, position - 1);
      const height = Math.max(0, this.middle(to) - this.middle(span.from));
      this.bands[number].setAttribute('height', String(span.from < position ? height + 14 : 0));
    });
    for (const index of this.marked) {
      this.groups[index].classList.remove('unordered', 'outdated');
    }
    this.marked = [];
    for (const { at, steps, outdated, group } of this.missing) {
      group.classList.toggle('ahead', at >= position);
      if (at >= position) continue;
      this.marked.push(...steps);
      if (outdated !== null) {
        this.groups[outdated].classList.add('outdated');
        this.marked.push(outdated);
      }
    }
    for (const index of this.marked) {
      if (!this.groups[index].classList.contains('outdated')) {
        this.groups[index].classList.add('unordered');
      }
    }
    this.shown = position;
    this.keepInView(position);
  }

  // Scrolls the drawing only, and never the page.
  keepInView(position) {
    const index = Math.max(0, position - 1);
    const { row } = this;
    const top = index === 0 ? 0 : this.middle(index) - row / 2;
    const view = this.scroller;
    const headHeight = this.head.offsetHeight;
    const visible = view.clientHeight - headHeight;
    if (visible <= 0) return;
    if (top - row < view.scrollTop) view.scrollTop = Math.max(0, top - row);
    else if (top + 2 * row > view.scrollTop + visible) view.scrollTop = top + 2 * row - visible;
    const step = this.run.steps[index];
    if (!step || step.thread === null) return;
    const left = this.center(step.thread) - this.column / 2;
    if (left < view.scrollLeft) view.scrollLeft = Math.max(0, left - gutter);
    else if (left + this.column > view.scrollLeft + view.clientWidth) {
      view.scrollLeft = left + this.column - view.clientWidth;
    }
  }
}
