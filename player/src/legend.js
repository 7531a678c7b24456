// What the signs of a run mean: only those that it has, in groups.
import { drawn, element } from './dom.js';
import { Run } from './model.js';
import { say } from './sentences.js';

export const signGroups = {
  boxes: ['load', 'store', 'atomic', 'failed', 'old', 'fence', 'barrier'],
  now: ['now', 'ahead'],
  arrows: ['saw', 'edge', 'stale'],
  reports: ['unordered', 'outdated', 'missing'],
  threads: ['number', 'letter', 'host'],
  memory: ['lock', 'lock_word', 'flag', 'counter', 'unknown'],
};

// The signs that these parts of a trace need: {threads, words, steps, reports}.
export function signsOf({ threads, words, steps, reports = [] }) {
  const run = new Run({ threads, words, steps, sources: [] });
  const signs = new Set(['now', 'ahead']);
  const add = (sign, isThere) => isThere && signs.add(sign);
  for (const step of steps) {
    const kind = Run.failed(step) ? 'failed' : step.kind;
    add(kind, ['load', 'store', 'atomic', 'failed', 'fence', 'barrier'].includes(kind));
    add('old', step.stale);
    add('stale', step.stale);
    add('saw', typeof step.reads === 'number' && !step.stale &&
        steps[step.reads]?.thread !== step.thread);
    add('edge', step.edges?.some((edge) => edge.kind !== 'barrier'));
    add('unknown', step.word !== undefined && (step.before === null || step.after === null));
  }
  for (const word of words) {
    add(word.role === 'lock' ? 'lock_word' : word.role, word.role !== 'data');
    add('lock', word.role === 'lock');
    add('unknown', word.first === null);
  }
  for (const report of reports) {
    add('unordered', report.missing);
    add('missing', report.missing);
    add('outdated', report.missing && run.outdatedRead(report) !== null);
  }
  threads.forEach((own, thread) => {
    add(run.numberOf(thread) === null ? 'letter' : 'number', own.kind === 'kernel');
    add('host', own.kind === 'host');
  });
  return signs;
}

// Drawings of the same classes as in the steps, beside their meanings.
export function legend(signs) {
  const picture = (...parts) => drawn('svg', { width: 46, height: 20, 'aria-hidden': 'true' },
      ...parts);
  const line = (kind) => picture(drawn('path',
      { class: `arrow ${kind}`, d: 'M3 10 L40 10', 'marker-end': `url(#head-${kind})` }));
  const frame = { class: 'box', x: 4, y: 2, width: 38, height: 16, rx: 5 };
  const inner = { class: 'inner', x: 7, y: 5, width: 32, height: 10, rx: 3 };
  const box = (kind, ...inside) => picture(drawn('g', { class: `step thread0 kind-${kind}` },
      drawn('rect', frame), ...inside));
  const text = (key) => element('b', { class: 'text-sign' }, key);
  const round = (key) => element('span', { class: 'head text-sign thread0' },
      element('b', {}, key));
  const drawings = {
    load: () => box('load'),
    store: () => box('store'),
    atomic: () => box('atomic', drawn('rect', inner)),
    failed: () => box('failed', drawn('rect', inner)),
    old: () => box('load stale'),
    fence: () => box('fence'),
    barrier: () => picture(drawn('g', { class: 'meeting' },
        drawn('line', { x1: 3, x2: 43, y1: 10, y2: 10 }))),
    now: () => box('load now'),
    ahead: () => box('load ahead'),
    unordered: () => box('load unordered'),
    outdated: () => box('load outdated'),
    number: () => round('0'),
    letter: () => round('a'),
    host: () => round('H'),
    lock: () => picture(drawn('rect', { class: 'held', x: 20, y: 1, width: 5, height: 18 })),
    lock_word: () => text(say('words.role.lock')),
    flag: () => text(say('words.role.flag')),
    counter: () => text(say('words.role.counter')),
    unknown: () => text(say('words.unknown')),
  };
  return Object.entries(signGroups).flatMap(([group, all]) => {
    const here = all.filter((sign) => signs.has(sign));
    if (here.length === 0) return [];
    return [element('h3', {}, say(`legend.${group}`)),
      element('ul', { class: 'legend' }, ...here.map((sign) => element('li', {},
          drawings[sign]?.() ?? line(sign), element('span', {}, say(`sign.${sign}`)))))];
  });
}
