// The source beside the steps: the line of the last step is lit, and signs say where each thread
// has been and where it goes on.
import { element, setText } from './dom.js';
import { say } from './sentences.js';
import { colorOf } from './threads.js';

export class SourceView {
  constructor(target) {
    this.target = target;
    this.caption = element('p', { class: 'place' });
    this.inside = element('p', { class: 'place dim' });
    this.code = element('div', { class: 'code', tabindex: '0', role: 'group' });
    this.code.setAttribute('aria-label', say('part.source'));
    target.replaceChildren(this.caption, this.code, this.inside,
        element('p', { class: 'dim small' }, say('source.legend')));
    this.run = null;
    this.file = null;
  }

  draw(run) {
    if (this.run?.sources !== run.sources) {
      this.file = null;
      this.code.scrollTop = 0;
    }
    this.run = run;
    // Room for the signs of a few threads beside each other: the lines stay below each other.
    this.code.style.setProperty('--signs', String(Math.max(2, Math.min(4, run.threads.length))));
  }

  // Writes the lines of a file; the ranges of it that the trace holds are apart.
  open(source) {
    if (this.file === source) return;
    this.file = source;
    this.lines = new Map();
    const rows = [];
    const ranges = source === null ? [] : this.run.sources[source].ranges;
    ranges.forEach((range, number) => {
      if (number > 0) rows.push(element('div', { class: 'gap' }, '\u22ef'));
      range.lines.forEach((text, offset) => {
        const signs = element('span', { class: 'signs' });
        const indent = text.search(/\S|$/) + 4;  // where a long line goes on
        const line = element('div', { class: 'line' },
            element('span', { class: 'number' }, String(range.first + offset)), signs,
            element('code', { style: `padding-left:${indent}ch;text-indent:-${indent}ch` },
                text === '' ? ' ' : text));
        this.lines.set(range.first + offset, { line, signs });
        rows.push(line);
      });
    });
    this.code.replaceChildren(...rows);
  }

  // `next`: for each thread the step that it makes next, or null.
  show(position, next) {
    const run = this.run;
    const step = position > 0 ? run.steps[position - 1] : null;
    const place = step ? run.lineOf(step) : null;
    const firstKnown = next.map((other) => other && run.lineOf(other)).find((other) => other) ??
        run.steps.map((other) => run.lineOf(other)).find((other) => other);
    if (place) this.open(place.source);
    else if (this.file === null && firstKnown) this.open(firstKnown.source);
    setText(this.caption, place ? say('source.at', { place: run.placeText(place) })
        : step ? say({ end: 'source.end', others: 'source.others' }[step.kind] ?? 'source.unknown')
        : say('source.begin'));
    setText(this.inside, step?.called_from && step.place
        ? say('source.inside',
            { place: run.placeText(step.place), line: run.lineText(step.place).trim() })
        : '');
    for (const { line, signs } of this.lines?.values() ?? []) {
      line.className = 'line';
      line.removeAttribute('aria-current');
      signs.replaceChildren();
    }
    const sign = (where, thread, kind) => {
      const found = where && where.source === this.file && this.lines.get(where.line);
      if (!found) return;
      found.signs.append(element('i', { class: `${kind} thread${colorOf(thread)}` },
          run.signOf(thread)));
    };
    run.threads.forEach((_, thread) => {
      const last = run.lastStepOf(thread, position);
      if (last >= 0) sign(run.lineOf(run.steps[last]), thread, 'been');
      if (next[thread]) sign(run.lineOf(next[thread]), thread, 'goes');
    });
    const lit = place && this.lines.get(place.line);
    if (lit) {
      lit.line.classList.add('lit', `thread${colorOf(step.thread ?? 0)}`);
      lit.line.setAttribute('aria-current', 'step');
    }
    this.keepInView(lit ?? (firstKnown && this.file === firstKnown.source
        ? this.lines.get(firstKnown.line) : null));
  }

  keepInView(found) {
    if (!found) return;
    const top = found.line.offsetTop - this.code.offsetTop;
    const height = this.code.clientHeight;
    if (top < this.code.scrollTop + 20 || top > this.code.scrollTop + height - 50) {
      this.code.scrollTop = Math.max(0, top - height / 2);
    }
  }
}
