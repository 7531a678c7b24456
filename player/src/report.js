// What race mode reports of the steps so far, and the outcome at the end.
import { element } from './dom.js';
import { say } from './sentences.js';

export class ReportView {
  constructor(target) {
    this.target = target;
  }

  // The lines of the report that a sentence announces by its colon: those up to the next sentence.
  linesAfter(report, index) {
    const sentence = report.sentences[index].text;
    if (!/[:\uff1a]$/.test(sentence)) return [];
    const lines = report.text.split('\n');
    const from = lines.findIndex((line) => line.trim() !== '' &&
        (sentence.endsWith(line.trim()) || line.trim().endsWith(sentence)));
    const after = from < 0 ? [] : lines.slice(from + 1);
    const starts = report.sentences.slice(index + 1).map((next) => next.text);
    const to = after.findIndex((line) => line.trim() !== '' &&
        starts.some((start) => start.startsWith(line.trim()) || line.trim().startsWith(start)));
    return after.slice(0, to < 0 ? undefined : to).filter((line) => line.trim() !== '');
  }

  // Its paragraphs. A cure stands where a sentence has announced it by its colon ("a release by the
  // first:"); those that none announces come at the end. A report that is not of two accesses names
  // no cures: there the sentence after such a colon is the cure. What begins with a comma goes on
  // with the sentence before.
  sentences(report) {
    const cures = new Map((report.missing?.cures ?? []).map((cure) => [cure.key, cure.text]));
    const parts = [];
    let announces = false;
    report.sentences.forEach((sentence, index) => {
      if (cures.has(sentence.key)) {
        if (announces) {
          parts.push(element('p', { class: 'cure' }, cures.get(sentence.key)));
          cures.delete(sentence.key);
        }
        announces = false;
      } else if (/^[,\uff0c]/.test(sentence.text) && parts.length > 0) {
        parts.at(-1).append(sentence.text);
      } else {
        const lines = this.linesAfter(report, index);
        const announced = announces;
        announces = lines.length === 0 && /[:\uff1a]$/.test(sentence.text);
        parts.push(element('p', { class: announced && !announces ? 'cure' : null }, sentence.text),
            ...(lines.length > 0 ? [element('pre', {}, lines.join('\n'))] : []));
      }
    });
    return [...parts, ...[...cures.values()].map((cure) => element('p', { class: 'cure' },
        say('missing.cure', { cure })))];
  }

  // `run` with reports; the latest stands first, and the page has none of a tree.
  show(run, position) {
    const here = run.reportsAt(position).reverse();
    const later = run.reports.length - here.length;
    const parts = here.map((report) => element('article', { class: 'report' },
        element('h3', {}, `\u26a0\ufe0e ${say('report.here', { kind: report.kind })}`),
        element('p', { class: 'where' }, report.where),
        ...this.sentences(report),
        // A report that explains nothing is all that there is to read.
        report.sentences.length === 0 ? element('pre', {}, report.text)
            : element('details', {}, element('summary', {}, say('report.all')),
                element('pre', {}, report.text))));
    if (run.reports.length === 0) parts.push(element('p', { class: 'dim' }, say('report.none')));
    else if (later > 0) {
      const key = here.length > 0 ? (later === 1 ? 'report.later.one' : 'report.later')
          : later === 1 ? 'report.ahead.one' : 'report.ahead';
      parts.push(element('p', { class: 'dim' }, say(key, { count: later })));
    }
    const open = this.target.querySelector('details')?.open;
    this.target.replaceChildren(...parts);
    if (open) this.target.querySelectorAll('details').forEach((one) => { one.open = true; });
  }
}

// The levels' lines that are sentences; the others, such as x = 1, are alike in all languages.
const sentenceOfLine = {
  'two threads were in the critical section at once': 'outcome.line.both_inside',
  'both are done': 'outcome.line.both_done',
};

function linesOf(outcome) {
  return (outcome?.lines ?? []).map(
      (line) => (sentenceOfLine[line] ? say(sentenceOfLine[line]) : line));
}

// In whole sentences, in one line.
export function outcomeSentences(outcome) {
  const lines = linesOf(outcome).join(', ');
  const verdict = outcome.stuck ? 'stuck' : outcome.right === true ? 'right'
      : outcome.right === false ? 'wrong' : null;
  return [...(lines === '' ? [] : [say('outcome.lines', { lines })]),
    ...(verdict === null ? [] : [say(`outcome.${verdict}`)])].join(' ');
}

// In one or two words, for lists.
export function outcomeText(outcome) {
  const words = linesOf(outcome);
  if (outcome?.stuck) words.push(say('outcome.short.stuck'));
  else if (outcome?.right === true) words.push(say('outcome.short.right'));
  else if (outcome?.right === false) words.push(say('outcome.short.wrong'));
  return words.join(', ');
}

// `all`: how many orders there are, of a tree. `isPart`: steps of the run are left out.
export function outcomeElements(outcome, all = null, isPart = false) {
  const parts = [];
  if (outcome.lines?.length) parts.push(element('pre', {}, linesOf(outcome).join('\n')));
  const verdict = outcome.stuck ? 'outcome.stuck'
      : outcome.right === true ? 'outcome.right'
      : outcome.right === false ? 'outcome.wrong' : 'outcome.unknown';
  const good = outcome.right === true && !outcome.stuck;
  const bad = outcome.stuck || outcome.right === false;
  // What the program has printed may say it itself.
  if (good || bad || !outcome.lines?.length) {
    parts.push(element('p', { class: good ? 'good' : bad ? 'bad' : '' },
        `${good ? '\u2713 ' : bad ? '\u2717 ' : ''}${say(verdict)}`));
  }
  if (outcome.only_stale) parts.push(element('p', {}, say('outcome.stale')));
  if (all !== null && outcome.times !== undefined) {
    parts.push(element('p', {}, say('outcome.times', { times: outcome.times, all })));
  }
  if (typeof outcome.status === 'number' && outcome.status !== 0) {
    parts.push(element('p', { class: 'dim' },
        say(outcome.status === 66 ? 'outcome.status.reports' : 'outcome.status',
            { status: outcome.status })));
  }
  if (isPart && outcome.lines?.length) {
    parts.push(element('p', { class: 'dim' }, say('outcome.part')));
  }
  return parts;
}
