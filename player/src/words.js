// The memory: each word's value after the steps so far, who wrote it, who holds a lock, and what
// each thread has read and may still believe.
import { valueText } from './describe.js';
import { element } from './dom.js';
import { say } from './sentences.js';
import { colorOf } from './threads.js';

const shownAtOnce = 12;

// Indices of the words to show first: locks, flags and counters, words of reports, then the order
// of the trace; and always the word of the last step.
export function wordOrder(run, position) {
  const ofReports = new Set(run.reports.flatMap(
      (report) => report.steps.map((step) => run.steps[step].word)));
  const now = position > 0 ? run.steps[position - 1].word : undefined;
  const rank = (word) => (ofReports.has(word) ? 0 : run.words[word].role !== 'data' ? 1 : 2);
  const all = run.words.map((_, word) => word);
  all.sort((a, b) => rank(a) - rank(b) || a - b);
  if (all.length > shownAtOnce && all.indexOf(now) >= shownAtOnce) {
    all.splice(all.indexOf(now), 1);
    all.splice(shownAtOnce - 1, 0, now);
  }
  return all;
}

// What a report calls an element of an array, without what its name has said.
export function placeOf(word) {
  if (!word.what?.startsWith('[')) return '';
  return word.what.startsWith(word.name) ? word.what.slice(word.name.length).trim() : word.what;
}

export class WordsView {
  constructor(target) {
    this.target = target;
  }

  draw(run) {
    this.run = run;
  }

  show(position) {
    const run = this.run;
    if (run.words.length === 0) {
      this.target.replaceChildren(element('p', { class: 'dim' }, say('words.nothing')));
      return;
    }
    const order = wordOrder(run, position);
    const open = this.target.querySelector('details')?.open;
    const rows = order.map((word) => this.row(word, position));
    const parts = [this.table(rows.slice(0, shownAtOnce))];
    if (rows.length > shownAtOnce) {
      const more = element('details', {},
          element('summary', {}, say('words.more', { count: rows.length - shownAtOnce })),
          this.table(rows.slice(shownAtOnce)));
      more.open = open ?? false;
      parts.push(more);
    }
    this.target.replaceChildren(...parts,
        element('p', { class: 'dim small' }, say('words.legend')), this.reads(position));
  }

  table(rows) {
    return element('table', { class: 'words' },
        element('thead', {}, element('tr', {},
            ...['words.word', 'words.value', 'words.last'].map(
                (key) => element('th', { scope: 'col' }, say(key))))),
        element('tbody', {}, ...rows));
  }

  row(index, position) {
    const run = this.run;
    const word = run.words[index];
    const now = position > 0 && run.steps[position - 1].word === index &&
        !run.steps[position - 1].fault;
    const last = run.lastWrite(index, position);
    const writer = last < 0 ? say(word.first === null ? 'words.nobody' : 'words.first')
        : run.steps[last].thread === null
            ? say(run.steps[last].count === undefined ? 'words.not_shown' : 'words.others')
        : run.nameOf(run.steps[last].thread);
    const name = element('th', { scope: 'row' }, word.name);
    if (word.role !== 'data') {
      name.append(' ', element('small', { class: 'role' }, say(`words.role.${word.role}`)));
    }
    // Each block has a shared array of this name.
    const hasTwin = run.words.some((other) => other.name === word.name &&
        other.block !== word.block);
    if (hasTwin && word.block !== undefined) {
      name.append(' ', element('small', { class: 'role' },
          say('name.block', { block: word.block })));
    }
    const place = placeOf(word);
    if (place !== '') name.append(element('small', { class: 'place' }, place));
    const value = element('td', { class: 'value', 'data-word': index },
        element('output', {}, valueText(run.valueOf(index, position))));
    if (word.role === 'lock') {
      const holders = run.holders(index, position);
      if (holders.length === 0) value.append(' ', element('small', {}, say('words.free')));
      for (const holder of holders) {
        value.append(' ', element('small', { class: `thread${colorOf(holder)}` },
            say('words.holder', { thread: run.nameOf(holder) })));
      }
    }
    const changed = now && last === position - 1;
    return element('tr', { class: now ? (changed ? 'now changed' : 'now') : null },
        name, value, element('td', {}, writer));
  }

  // What each thread has read last, beside what the word holds by now.
  reads(position) {
    const run = this.run;
    const lines = run.threads.flatMap((_, thread) => {
      const read = run.lastRead(thread, position);
      if (read === null) return [];
      const now = run.valueOf(read.word, position);
      const values = {
        thread: run.nameOf(thread),
        word: run.words[read.word].name,
        got: valueText(read.got),
        now: valueText(now),
      };
      const outdated = now !== read.got && !run.hasWrittenSince(thread, read, position);
      return [element('li', { class: `thread${colorOf(thread)}${outdated ? ' outdated' : ''}` },
          say(outdated ? 'words.read.outdated' : 'words.read', values))];
    });
    return element('ul', { class: 'reads' }, ...lines);
  }
}
