// A run: its steps, and what holds after the first `position` of them. Everything is looked up in
// the trace, so a step back shows what was shown before.

import { say } from './sentences.js';

export const FORMAT = 'race-trace';
export const VERSION = 1;

// Throws an Error that says what is wrong with a document that is no trace of this version.
export function checkTrace(trace) {
  if (trace === null || typeof trace !== 'object' || trace.format !== FORMAT) {
    throw new Error(`no trace: expected "format": "${FORMAT}"`);
  }
  if (trace.version !== VERSION) {
    throw new Error(`a trace of version ${trace.version}; this page plays version ${VERSION}`);
  }
  if (trace.kind !== 'run' && trace.kind !== 'trees') {
    throw new Error(`a trace of kind ${trace.kind}; expected run or trees`);
  }
  return trace;
}

// The program, and which of its variants has run; where it has none, its arguments.
export function programOf(trace) {
  const all = trace.arguments ?? [];
  const named = all.find((one) => one.startsWith('--variant='))?.slice('--variant='.length) ??
      (all.includes('--variant') ? all[all.indexOf('--variant') + 1] : undefined);
  return named ? `${trace.program}, ${named}` : [trace.program, ...all].join(' ');
}

// A step changes its word, also where it was made but left the value as it was.
function touches(step) {
  return step.word !== undefined && !step.fault;
}

// `parts` has `threads`, `words`, `steps`, `sources`, and `reports` and `launches` where there are
// any, all as in docs/trace.md. Positions go from 0, before the first step, to steps.length.
export class Run {
  constructor(parts) {
    this.threads = parts.threads;
    this.words = parts.words;
    this.steps = parts.steps;
    this.sources = parts.sources;
    this.reports = parts.reports ?? [];
    this.launches = parts.launches ?? [];
    this.stepsOfWord = this.words.map(() => []);
    this.stepsOfThread = this.threads.map(() => []);
    this.meetings = new Map();  // number: its steps
    this.steps.forEach((step, index) => {
      if (touches(step)) this.stepsOfWord[step.word].push(index);
      if (step.thread !== null) this.stepsOfThread[step.thread].push(index);
      if (step.meeting !== undefined) {
        if (!this.meetings.has(step.meeting)) this.meetings.set(step.meeting, []);
        this.meetings.get(step.meeting).push(index);
      }
    });
  }

  get length() {
    return this.steps.length;
  }

  // The last of the ascending `indices` below `position`, or -1.
  static lastBefore(indices, position) {
    let low = 0;
    let high = indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (indices[middle] < position) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? -1 : indices[low - 1];
  }

  // The value of a word after `position` steps; null is one that was never written or is unknown.
  valueOf(word, position) {
    const last = Run.lastBefore(this.stepsOfWord[word], position);
    return last < 0 ? this.words[word].first : this.steps[last].after;
  }

  values(position) {
    return this.words.map((_, word) => this.valueOf(word, position));
  }

  // The last step that changed the word, or -1: it has its first value still.
  lastWrite(word, position) {
    const indices = this.stepsOfWord[word];
    let last = Run.lastBefore(indices, position);
    while (last >= 0 && !Run.writes(this.steps[last])) last = Run.lastBefore(indices, last);
    return last;
  }

  static writes(step) {
    return step.kind === 'store' || step.kind === 'others' || step.kind === 'copy' ||
        (step.kind === 'atomic' && step.before !== step.after);
  }

  // A compare-and-swap that found another value than it wanted, and changed nothing.
  static failed(step) {
    return step.kind === 'atomic' && step.before === step.after &&
        /cas|compare/i.test(step.function ?? '');
  }

  // The spans in which a thread holds the lock: [{thread, from, to}], `to` is null if it is never
  // given back. A lock is free while it has its first value. One that is taken in two steps may be
  // taken by two threads.
  holds(word) {
    const spans = [];
    for (const index of this.stepsOfWord[word]) {
      const step = this.steps[index];
      if (!Run.writes(step)) continue;
      const open = spans.filter((span) => span.to === null);
      const own = open.find((span) => span.thread === step.thread);
      if (step.after === this.words[word].first) {
        const ends = own ?? open[0];
        if (ends) ends.to = index;
      } else if (!own && step.thread !== null) {
        spans.push({ thread: step.thread, from: index, to: null });
      }
    }
    return spans;
  }

  // The threads that hold the lock after `position` steps, the first to take it first.
  holders(word, position) {
    return this.holds(word)
        .filter((held) => held.from < position && (held.to === null || held.to >= position))
        .map((held) => held.thread);
  }

  lastStepOf(thread, position) {
    return Run.lastBefore(this.stepsOfThread[thread], position);
  }

  // What the thread has read last: {word, got, step}, or null. An atomic that has changed its word
  // got a value too; it is told where the thread has read nothing else.
  lastRead(thread, position) {
    const got = this.stepsOfThread[thread].filter((index) => index < position &&
        this.steps[index].word !== undefined && this.steps[index].got !== undefined &&
        !this.steps[index].fault);
    const last = got.findLast((index) => this.steps[index].before === this.steps[index].after) ??
        got[got.length - 1];
    return last === undefined ? null
        : { word: this.steps[last].word, got: this.steps[last].got, step: last };
  }

  // Has the thread written the word that it has read? Then it has used the value, and what others
  // make of the word later is no matter of this read. An atomic reads and writes in one step.
  hasWrittenSince(thread, read, position) {
    return this.stepsOfThread[thread].some((index) => index >= read.step && index < position &&
        this.steps[index].word === read.word && Run.writes(this.steps[index]));
  }

  // The position after the next step of this thread, or null.
  nextOf(thread, position) {
    const next = this.stepsOfThread[thread].find((index) => index >= position);
    return next === undefined ? null : next + 1;
  }

  // Where a report's last step is a write: the read of that word by the same thread, if the word
  // has changed since; else null.
  outdatedRead(report) {
    const last = Math.max(...report.steps);
    const step = this.steps[last];
    if (step.word === undefined || step.fault || !Run.writes(step)) return null;
    const read = this.stepsOfThread[step.thread].findLast((index) => index < last &&
        this.steps[index].word === step.word && this.steps[index].kind === 'load');
    return read !== undefined && this.lastWrite(step.word, last) > read ? read : null;
  }

  // The positions at which a report can be seen: after the last of its steps. Ascending.
  reportPositions() {
    const all = this.reports.filter((report) => report.steps.length > 0)
        .map((report) => Math.max(...report.steps) + 1);
    return [...new Set(all)].sort((a, b) => a - b);
  }

  // The next report's position, from the first again after the last; null without reports.
  nextReport(position) {
    const all = this.reportPositions();
    return all.find((other) => other > position) ?? all[0] ?? null;
  }

  // The reports whose steps have all been made.
  reportsAt(position) {
    return this.reports.filter(
        (report) => report.steps.length > 0 && Math.max(...report.steps) < position);
  }

  // The line of the kernel: where the step stands in a lock or a library, the line that called it.
  lineOf(step) {
    return step.called_from ?? step.place;
  }

  // "file:line", or '' where it is not known.
  placeText(place) {
    return place ? `${this.sources[place.source].file}:${place.line}` : '';
  }

  // The text of a place's line, or ''.
  lineText(place) {
    if (!place) return '';
    const range = this.sources[place.source].ranges.find(
        (lines) => place.line >= lines.first && place.line < lines.first + lines.lines.length);
    return range ? range.lines[place.line - range.first] : '';
  }

  // The threads from left to right: the host, streams and copies as they come, and those of
  // kernels by launch, block and thread.
  columns() {
    const key = (thread) => {
      const { kind, launch = 0, block = 0, thread: number = 0 } = this.threads[thread];
      return kind === 'kernel' ? [1, launch, block, number] : [0, 0, 0, 0];
    };
    return this.threads.map((_, thread) => thread).sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      const at = x.findIndex((part, index) => part !== y[index]);
      return at < 0 ? a - b : x[at] - y[at];
    });
  }

  // The number of the thread or of its block, where that alone is clear; else null.
  numberOf(thread) {
    const found = this.threads[thread].kind === 'kernel' &&
        /^\D*(\d+)$/.exec(this.nameOf(thread));
    return found ? found[1] : null;
  }

  // A number or a letter for a thread, where there is no room for its name. A digit is always the
  // number of a thread or a block; where that is not clear, the columns have small letters.
  signOf(thread) {
    const own = this.threads[thread];
    if (own.kind !== 'kernel') return own.kind.charAt(0).toUpperCase();
    const number = this.numberOf(thread);
    if (number !== null) return number;
    const place = this.columns().filter((other) => this.threads[other].kind === 'kernel')
        .indexOf(thread);
    return String.fromCharCode(97 + place % 26).repeat(1 + Math.floor(place / 26));
  }

  // The digit that lets the thread go next.
  keyOf(thread) {
    return this.numberOf(thread) ?? String(this.columns().indexOf(thread));
  }

  // As short as is clear: the numbers that all threads have in common are left out.
  nameOf(thread) {
    const own = this.threads[thread];
    if (own.name === 'the host') return say('name.host');
    if (own.kind !== 'kernel') return own.name;
    const kernel = this.threads.filter((other) => other.kind === 'kernel');
    const long = own.name === `block ${own.block}, thread ${own.thread}` ? say('name.both', own)
        : own.name;
    if (kernel.some((other) => other.launch !== own.launch)) return long;
    if (kernel.every((other) => other.block === own.block)) return say('name.thread', own);
    if (kernel.every((other) => other.thread === own.thread)) return say('name.block', own);
    return long;
  }
}
