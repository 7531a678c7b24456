// Puts the page together: which run or tree is played, where the reader is in it, and what each
// part then shows.
import { Controls } from './controls.js';
import { choiceOf, reportSentence, sentencesOf } from './describe.js';
import { element, setText } from './dom.js';
import { legend, signsOf } from './legend.js';
import { Level, Progress, reasons } from './levels.js';
import { checkTrace, programOf, Run } from './model.js';
import { ReportView, outcomeElements, outcomeSentences, outcomeText } from './report.js';
import { languageFor, say, speak } from './sentences.js';
import { SourceView } from './source.js';
import { termsOfRun, termsOfTree } from './terms.js';
import { ThreadsView, colorOf } from './threads.js';
import { Walk } from './walk.js';
import { WordsView } from './words.js';

// Below the digits: the same column, with an old value. With Shift, the next older one. r is taken.
const oldValueKeys = ['qwe tyuiop', 'QWE TYUIOP'];
const ordersListed = 200;

const byId = (id) => document.getElementById(id);

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;  // a browser may forbid it to a page from disk
  }
}

// What the reader can choose to play: [{title, run} or {title, walk, level}].
function readGames(traces, levels) {
  if (traces.length === 0) throw new Error('there is none in it');
  traces.forEach(checkTrace);
  const trees = traces.flatMap((trace) => (trace.trees ?? []).map((tree) => ({ tree, trace })));
  if (levels.length > 0) {
    return levels.map((data) => {
      const { tree, trace } = trees.find((one) => one.tree.name === data.tree);
      const level = new Level(data, new Walk(tree, trace.sources));
      return { title: say(`level.${data.name}`), walk: level.walk, level };
    });
  }
  const games = [];
  // Several runs of one program, which the page's title names: a phone has room for the rest only.
  const isOne = traces.length > 1 && new Set(traces.map(programOf)).size === 1;
  for (const trace of traces) {
    if (trace.kind === 'run') {
      const kinds = [...new Set(trace.reports.map((report) => report.kind))];
      games.push({
        title: say(isOne ? 'choose.trace.seed.same' : 'choose.trace.seed', {
          number: games.length + 1, program: programOf(trace), seed: trace.seed,
          kind: kinds.join(', ') || say('choose.trace.clean'),
        }),
        run: new Run(trace),
        trace,
      });
    } else {
      for (const tree of trace.trees) {
        games.push({
          title: say('choose.trace.tree', { number: games.length + 1, name: tree.name }),
          walk: new Walk(tree, trace.sources),
          trace,
        });
      }
    }
  }
  return games;
}

class Page {
  constructor(games, playsLevels) {
    this.games = games;
    this.playsLevels = playsLevels;
    this.progress = new Progress(storage());
    this.threads = new ThreadsView(byId('steps'), (position) => this.moveTo(position));
    this.words = new WordsView(byId('words'));
    this.source = new SourceView(byId('source'));
    this.report = new ReportView(byId('report'));
    this.controls = new Controls(byId('controls'), {
      start: () => this.moveTo(0),
      back: () => this.moveTo(this.position - 1),
      forward: () => this.forward(),
      end: () => this.end(),
      thread: () => this.nextOfThread(),
      report: () => this.moveTo(this.run.nextReport(this.position) ?? this.position),
      moveTo: (position) => this.moveTo(position),
      choose: (key) => this.choose(key),
    });
    this.controls.swipesOn(byId('now'));
    this.fillTexts();
    byId('game').addEventListener('change', (event) => this.open(Number(event.target.value)));
    byId('order').addEventListener('change', (event) => this.plan(event.target.value));
    byId('all-steps').addEventListener('toggle', () => this.listSteps());
    byId('level-previous').addEventListener('click', () => this.open(this.index - 1));
    byId('level-next').addEventListener('click', () => this.open(this.index + 1));
    setText(byId('choose-game-name'), say(playsLevels ? 'choose.level' : 'choose.trace'));
    // What is fixed at the bottom covers nothing when the page is scrolled to its end.
    new ResizeObserver(() => {
      document.body.style.paddingBottom = `${byId('bar').offsetHeight + 24}px`;
    }).observe(byId('bar'));
    byId('level-claim').addEventListener('click', () => this.askWhy(byId('level-why').hidden));
    byId('level-back').addEventListener('click', () => {
      this.moveTo(this.level.tellsDeadEnds ? this.level.lastOpen : this.walk.lastChoice);
      byId('choices').querySelector('button')?.focus({ preventScroll: true });
    });
    byId('level-clear').addEventListener('click', () => {
      // The first press asks, and the second one does it.
      if (this.asksToClear) {
        this.progress.clear();
        this.fillGames();
        this.show();
      }
      this.askToClear(!this.asksToClear);
    });
    byId('level-clear').addEventListener('blur', () => this.askToClear(false));
    byId('level-on').addEventListener('click', () => {
      this.open(this.index + 1);
      byId('level-name').focus();  // what is to be read next
    });
    window.addEventListener('hashchange', () => this.openNamed());
    let drawnAt = window.innerWidth;
    window.addEventListener('resize', () => {
      if (window.innerWidth === drawnAt) return;  // a phone's address bar comes and goes
      drawnAt = window.innerWidth;
      this.threads.draw(this.run);
      this.show();
    });
    // Without a name in the address, the first level that is not done.
    const first = games.findIndex((game) => !game.level || !this.progress.has(game.level.name));
    if (!this.openNamed()) this.open(Math.max(0, first));
  }

  askToClear(asks) {
    this.asksToClear = asks;
    setText(byId('level-clear'), say(asks ? 'level.clear.sure' : 'level.clear'));
  }

  fillTexts() {
    document.querySelectorAll('[data-say]').forEach((target) => {
      target.textContent = say(target.dataset.say);
    });
    document.querySelectorAll('[data-label]').forEach((target) => {
      target.setAttribute('aria-label', say(target.dataset.label));
      target.title = say(target.dataset.label);
    });
  }

  fillGames() {
    const select = byId('game');
    select.replaceChildren(...this.games.map((game, index) => {
      const option = element('option', { value: index }, game.level
          ? say('choose.level.one', {
            number: index + 1, name: game.title,
            done: this.progress.has(game.level.name) ? say('choose.level.done') : '',
          })
          : game.title);
      return option;
    }));
    select.value = String(this.index);
    byId('choose-game').hidden = this.games.length < 2;
  }

  // The level that the address names after #. False if it names none.
  openNamed() {
    const name = decodeURIComponent(window.location.hash.slice(1));
    const found = this.games.findIndex((game) => name !== '' &&
        (game.level?.name === name || game.walk?.tree.name === name));
    if (found < 0) return false;
    if (found !== this.index) this.open(found);
    return true;
  }

  open(index) {
    if (index < 0 || index >= this.games.length) return;
    this.controls.pause();
    this.index = index;
    this.game = this.games[index];
    this.walk = this.game.walk ?? null;
    this.level = this.game.level ?? null;
    this.claimed = null;
    this.fixedPosition = 0;
    if (this.walk) this.walk.restart();
    this.fillGames();
    document.body.classList.toggle('plays-tree', this.walk !== null);
    const title = this.playsLevels || this.walk ? say('page.title.levels')
        : say('page.title.run', { program: programOf(this.game.trace) });
    document.title = this.level ? `${this.game.title} - ${title}` : title;
    setText(byId('title'), title);
    setText(byId('intro'), say(this.level ? 'page.intro.levels'
        : this.walk ? 'page.intro.tree' : 'page.intro.run'));
    byId('orders-part').hidden = this.walk === null;
    byId('level').hidden = this.walk === null;
    byId('level-choose').hidden = !this.playsLevels;
    byId('level-clear').hidden = !this.playsLevels;
    byId('verdict-part').hidden = true;
    byId('report-part').hidden = this.walk !== null;
    byId('choices-part').hidden = true;
    byId('keys-tree').hidden = this.walk === null;
    byId('about-orders').hidden = this.walk === null;
    const leftOut = this.game.trace?.left_out?.text ?? '';
    setText(byId('left-out'), leftOut);
    byId('left-out-part').hidden = leftOut === '';
    byId('order').value = 'own';
    if (this.walk) this.fillOrders();
    this.fillTerms();
    this.fillLegend();
    this.askWhy(false);
    byId('all-steps').open = false;
    if (this.level) {
      const base = window.location.href.replace(/#.*/, '');
      try {
        window.history.replaceState(null, '', `${base}#${this.level.name}`);
      } catch {
        // A browser may forbid it to a page from disk; then the address stays.
      }
    }
    this.drawRun();
  }

  // The orders to watch: of a level those that the reader has found, since the others would give
  // the answer away.
  fillOrders() {
    const walk = this.walk;
    const known = walk.leaves.filter((leaf) => !this.level || walk.seen.has(leaf));
    const options = known.slice(0, ordersListed).map((leaf) => {
      const threads = walk.wayTo(leaf).map((node) => {
        const { thread, stale } = walk.tree.nodes[node].step;
        return stale ? say('choose.order.old', { thread }) : String(thread);
      }).join(' ');
      return element('option', { value: leaf }, say('choose.order.one', {
        number: walk.leaves.indexOf(leaf) + 1, threads, outcome: outcomeText(walk.outcomeOf(leaf)),
      }));
    });
    const chosen = byId('order').value;
    byId('order').replaceChildren(
        element('option', { value: 'own' }, say('choose.order.own')), ...options);
    if (known.includes(Number(chosen))) byId('order').value = chosen;
    byId('choose-order').hidden = known.length === 0;
    this.ordersFilled = walk.seen.size;
  }

  // What the words mean that a reader meets here.
  fillTerms() {
    const terms = this.walk ? termsOfTree(this.walk.sources, this.level?.terms)
        : termsOfRun(this.game.run, this.game.trace);
    byId('terms-part').hidden = terms.length === 0;
    byId('terms-part').open = false;
    setText(byId('terms-names'), say('part.terms',
        { terms: terms.map((name) => say(`term.${name}`)).join(', ') }));
    byId('terms').replaceChildren(...terms.flatMap((name) => [
      element('dt', {}, say(`term.${name}`)), element('dd', {}, say(`term.${name}.is`))]));
  }

  // What the signs mean that stand somewhere in the run, or in an order of the tree.
  fillLegend() {
    const tree = this.walk?.tree;
    const parts = tree
        ? { ...tree, steps: tree.nodes.map(({ step }) => step ?? { thread: null }) }
        : this.game.run;
    byId('legend').replaceChildren(...legend(signsOf(parts)));
  }

  plan(value) {
    this.controls.pause();
    if (value === 'own') this.walk.restart();
    else this.walk.plan(Number(value));
    this.drawRun();
  }

  get run() {
    return this.walk ? this.walkRun : this.game.run;
  }

  get position() {
    return this.walk ? this.walk.position : this.fixedPosition;
  }

  // After the steps of the drawing have changed.
  drawRun() {
    if (this.walk) this.walkRun = this.walk.run();
    this.threads.draw(this.run);
    this.words.draw(this.run);
    this.source.draw(this.run);
    this.show();
  }

  moveTo(position) {
    const to = Math.max(0, Math.min(this.run.length, position));
    if (to === this.position) return false;
    if (this.walk) this.walk.moveTo(to);
    else this.fixedPosition = to;
    this.claimed = null;
    this.show();
    return true;
  }

  forward() {
    if (this.position < this.run.length) return this.moveTo(this.position + 1);
    if (!this.walk || !this.walk.forward()) return false;
    this.claimed = null;
    this.drawRun();
    return true;
  }

  end() {
    this.moveTo(this.run.length);
    while (this.walk && this.forward());
    while (this.level?.isSure) this.go(this.walk.choices()[0].node);
  }

  nextOfThread() {
    const step = this.run.steps[Math.max(0, this.position - 1)];
    if (!step || step.thread === null) return;
    const next = this.run.nextOf(step.thread, this.position);
    if (next !== null) this.moveTo(next);
    else if (this.walk) {
      const own = this.walk.choices().find((choice) => choice.step.thread === step.thread);
      if (own && this.position === this.run.length) this.go(own.node);
    }
  }

  go(node) {
    const known = this.walk.future[this.walk.future.length - 1] === node;
    this.walk.go(node);
    this.claimed = null;
    if (known) {
      this.show();
    } else {
      byId('order').value = 'own';
      this.drawRun();
    }
    // Who plays by keys alone goes on by Enter.
    if (this.level?.reached && !document.activeElement.matches('button, select, input, summary')) {
      byId('level-on').focus({ preventScroll: true });
    }
  }

  // The choices with their keys: a digit for the column, a letter for the same column's old value.
  // A choice without a key has its button.
  keyedChoices() {
    const counts = new Map();
    return this.walk.choices().map((choice) => {
      const thread = choice.step.thread;
      const number = counts.get(thread) ?? 0;
      counts.set(thread, number + 1);
      const digit = this.run.keyOf(thread);
      const key = number === 0 ? digit : oldValueKeys[number - 1]?.[(Number(digit) + 9) % 10] ?? '';
      return { ...choice, key: key.trim() };
    });
  }

  choose(key) {
    if (!this.walk) return;
    const found = this.keyedChoices().find((choice) => choice.key !== '' && choice.key === key);
    if (found) {
      this.go(found.node);
      return;
    }
    const thread = this.run.threads.findIndex((_, one) => this.run.keyOf(one) === key);
    if (thread < 0 || this.walk.ended) return;
    const why = { ended: 'go.not.ended', waits: 'go.not.waits', later: 'go.not.later' };
    setText(byId('choices-head'),
        say(why[this.walk.whyNot(thread)], { thread: this.run.nameOf(thread) }));
  }

  // It cannot be done, says the reader: why not?
  askWhy(asks) {
    byId('level-why').hidden = !asks;
    byId('level-claim').setAttribute('aria-expanded', String(asks));
    byId('level-reasons').replaceChildren(...reasons.map((reason) => element('button', {
      type: 'button', 'data-reason': reason, onclick: (event) => this.claim(reason, event.target),
    }, say(`reason.${reason}`))));
    if (asks) byId('level-why').focus();  // no reason is chosen by a second Enter
  }

  claim(reason, button) {
    if (button.getAttribute('aria-disabled') === 'true') return;
    const judged = this.level.judge(reason);
    this.claimed = {
      right: 'level.claimed', part: 'level.part_of_reason', reason: 'level.other_reason',
      possible: 'level.not_so', unknown: 'level.unknown',
    }[judged];
    if (judged === 'right') this.finish();
    if (judged === 'reason' || judged === 'possible') this.progress.addWrong(this.level.name);
    const goesOnAsking = judged === 'reason' || judged === 'part';
    if (goesOnAsking) button.setAttribute('aria-disabled', 'true');
    else this.askWhy(false);
    this.show();
    if (!goesOnAsking) {
      const goesOn = judged === 'right' && !byId('level-on').hidden;
      byId(goesOn ? 'level-on' : 'level-claim').focus({ preventScroll: true });
    }
  }

  finish() {
    if (this.progress.has(this.level.name)) return;
    this.progress.add(this.level.name);
    this.fillGames();
  }

  show() {
    const run = this.run;
    const position = this.position;
    const step = position > 0 ? run.steps[position - 1] : null;
    this.threads.show(position);
    this.words.show(position);
    const next = run.threads.map((_, thread) => {
      if (this.walk) return this.walk.nextStepOf(thread);
      const at = run.nextOf(thread, position);
      return at === null ? null : run.steps[at - 1];
    });
    this.source.show(position, next);
    // With its name, so that a change of the level or the run is read aloud.
    const sentences = step ? sentencesOf(run, position - 1)
        : [this.games.length > 1 ? say('step.begin.of', { name: this.nameOfGame })
            : say('step.begin')];
    for (const report of run.reportsAt(position)) {
      if (Math.max(...report.steps) === position - 1) sentences.push(reportSentence(run, report));
    }
    byId('now').className = step && step.thread !== null ? `thread${colorOf(step.thread)}` : '';
    setText(byId('now'), sentences.join(' '));
    // On a phone the source stands far below.
    const place = step && run.lineOf(step);
    setText(byId('now-code'), place ? `${place.line}  ${run.lineText(place).trim()}` : '');
    if (!this.walk) this.report.show(run, position);
    this.showOutcome();
    if (this.walk) {
      if (this.walk.seen.size !== this.ordersFilled) this.fillOrders();
      const choice = document.activeElement?.dataset?.choice;
      this.showChoices();
      this.showLevel();
      if (choice !== undefined) this.keepFocus(choice);
    }
    const atEnd = this.walk ? this.walk.ended : position === run.length;
    const canForward = position < run.length ||
        (this.walk !== null && this.walk.choices().length === 1);
    this.controls.show(position, atEnd || position < run.length ? run.length : null, {
      start: position > 0, back: position > 0, forward: canForward,
      end: canForward || (this.level?.isSure ?? false),
      play: canForward, thread: !atEnd && step !== null,
      report: run.reports.length > 0 ? true : undefined,
    });
    this.markStep();
    this.keepInView();
  }

  // On a small screen the bar may cover the step that was just made: the page moves up then. On a
  // phone it begins with the sentence of the step, so that the steps have room below it.
  keepInView() {
    if (this.position === 0) return;
    const above = byId('now').getBoundingClientRect().top - 8;
    if (window.innerWidth <= 640 && above > 0) window.scrollBy({ top: above, behavior: 'instant' });
    const box = this.threads.groups[this.position - 1].getBoundingClientRect();
    const covered = box.bottom + 8 - byId('bar').getBoundingClientRect().top;
    if (covered > 0) window.scrollBy({ top: covered, behavior: 'instant' });
  }

  get nameOfGame() {
    return this.level ? `${this.index + 1}. ${this.game.title}` : this.game.title;
  }

  // A choice that had the focus was made: the same thread's next one has it now, or else what there
  // is to do next.
  keepFocus(choice) {
    const choices = byId('choices');
    const next = choices.querySelector(`[data-choice="${choice}"]`) ??
        choices.querySelector('button') ??
        ['level-on', 'level-back', 'go-back'].map(byId)
            .find((one) => one.getClientRects().length > 0);
    next?.focus({ preventScroll: true });
  }

  showOutcome() {
    const outcome = this.walk ? this.walk.outcome
        : this.position === this.run.length ? this.game.trace.outcome : null;
    byId('outcome-part').hidden = outcome === null;
    byId('outcome').replaceChildren(...(outcome === null ? []
        : outcomeElements(outcome, this.tellsOrders ? this.walk.tree.orders : null,
            (this.game.trace?.left_out?.steps ?? 0) > 0)));
  }

  // How many orders end alike may be said of a tree without an aim, and of a level that is done:
  // else "6 of 6" would give away that the aim cannot be reached.
  get tellsOrders() {
    return this.walk !== null && (this.level === null || this.level.done ||
        this.progress.has(this.level.name));
  }

  showChoices() {
    const walk = this.walk;
    const choices = this.keyedChoices();
    let noticed = true;  // can another thread notice the step that comes?
    const rows = this.run.threads.flatMap((_, thread) => {
      const own = choices.filter((choice) => choice.step.thread === thread);
      const name = element('b', {}, this.run.nameOf(thread));
      const color = `thread${colorOf(thread)}`;
      if (own.length === 0) {
        const why = walk.whyNot(thread);
        noticed = noticed && why !== 'later';
        const text = say({ ended: 'go.ended', waits: 'go.waits', later: 'go.later' }[why]);
        return [element('span', { class: `choice ${color} off` }, name, ` ${text}`)];
      }
      return own.map((choice) => {
        const [what, value] = choiceOf(this.run, choice.step);
        // The value that a step will find is not said before it is made, unless it can be chosen.
        const text = own.length > 1 ? `${what}: ${value}` : what;
        return element('button', {
          type: 'button', class: `choice ${color}`, 'data-choice': choice.key,
          'data-node': choice.node, onclick: () => this.go(choice.node),
        }, ...(choice.key ? [element('kbd', {}, choice.key), ' '] : []),
        name.cloneNode(true), ` ${text}`);
      });
    });
    byId('choices').replaceChildren(...rows);
    const who = new Set(choices.map(({ step }) => step.thread)).size;
    setText(byId('choices-head'), say(!noticed ? 'go.choose.none'
        : choices.length === 1 ? 'go.choose.one' : who === 1 ? 'go.choose.value' : 'go.choose'));
    byId('choices-part').hidden = walk.ended;
    const complete = walk.tree.complete;
    setText(byId('seen'), say(complete ? 'seen' : 'seen.incomplete',
        { seen: walk.seen.size, all: complete ? walk.tree.orders : walk.leaves.length }));
  }

  showLevel() {
    const level = this.level;
    byId('level-claim').hidden = level === null;
    byId('level-aim').hidden = level === null;
    const outcome = this.walk.outcome;
    // An answer to the claim is not about this order.
    setText(byId('verdict-outcome'),
        outcome === null || this.claimed !== null ? '' : outcomeSentences(outcome));
    byId('verdict-part').hidden = outcome === null;
    byId('level-on').hidden = true;
    byId('level-back').hidden = true;
    if (level === null) {
      setText(byId('level-name'), this.walk.tree.name);
      setText(byId('level-before'), say('level.no_aim'));
      setText(byId('level-verdict'), '');
      setText(byId('level-after'), '');
      return;
    }
    setText(byId('level-name'), `${this.index + 1}. ${say(`level.${level.name}`)}`);
    setText(byId('level-before'), say(`level.${level.name}.before`));
    setText(byId('level-aim-text'), say(`level.${level.name}.aim`));
    const shown = level.done && !level.reached && outcome !== null;
    if (level.done) this.finish();
    const isLost = level.isLost && level.tellsDeadEnds;
    const verdict = level.reached ? 'level.won' : this.claimed ??
        (shown ? 'level.shown'
            : outcome !== null ? (level.tellsDeadEnds ? 'level.missed.again' : 'level.missed')
            : level.isSure ? 'level.sure' : isLost ? 'level.lost' : null);
    byId('verdict-part').hidden = outcome === null && verdict === null;
    setText(byId('level-verdict'),
        verdict === null ? '' : say(verdict, {
          all: level.walk.tree.orders, count: this.progress.wrongIn(level.name),
        }));
    const done = ['level.won', 'level.shown', 'level.claimed'].includes(verdict);
    if (done) this.askWhy(false);
    const wrongAnswer = ['level.not_so', 'level.other_reason'].includes(verdict);
    byId('level-verdict').className = done ? 'good' : wrongAnswer ? 'bad' : '';
    setText(byId('level-after'), done
        ? [say(`level.${level.name}.after`), this.afterTheLast()].join(' ').trim() : '');
    byId('level-previous').setAttribute('aria-disabled', String(this.index === 0));
    byId('level-next').setAttribute('aria-disabled', String(this.index === this.games.length - 1));
    byId('level-on').hidden = !done || this.index === this.games.length - 1;
    byId('level-back').hidden = done || !(isLost || outcome !== null);
    setText(byId('level-back'), say(level.tellsDeadEnds ? 'level.back.open' : 'level.back'));
    const count = this.games.filter((game) => this.progress.has(game.level.name)).length;
    const wrong = this.games.reduce((sum, game) => sum + this.progress.wrongIn(game.level.name), 0);
    setText(byId('level-count'), say(wrong === 0 ? 'level.count' : 'level.count.wrong',
        { done: count, all: this.games.length, wrong }));
  }

  // What there is to say after the last level; else ''.
  afterTheLast() {
    if (this.index < this.games.length - 1) return '';
    const left = this.games.flatMap(
        ({ level }, index) => (this.progress.has(level.name) ? [] : [index + 1]));
    return left.length === 0 ? say('level.all', { all: this.games.length })
        : say('level.left', { numbers: left.join(', ') });
  }

  // All steps as a list, for people who read and do not look. Filled when it is opened.
  listSteps() {
    if (!byId('all-steps').open) return;
    const run = this.run;
    byId('all-steps-list').replaceChildren(...run.steps.map((_, index) => {
      const go = () => this.moveTo(index + 1);
      return element('li', {}, element('button', { type: 'button', class: 'plain', onclick: go },
          sentencesOf(run, index).join(' ')));
    }));
    this.listed = run;
    this.markStep();
  }

  markStep() {
    if (!byId('all-steps').open) return;
    if (this.listed !== this.run) {
      this.listSteps();
      return;
    }
    byId('all-steps-list').querySelectorAll('button').forEach((button, index) => {
      if (index === this.position - 1) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }
}

function begin() {
  const read = (id) => JSON.parse(byId(id).textContent);
  const tables = read('data-words');
  const language = languageFor(
      new URLSearchParams(window.location.search).get('lang') ??
      (document.documentElement.dataset.language || navigator.language), tables);
  speak(language, tables[language]);
  document.documentElement.lang = language;
  try {
    const levels = read('data-levels');
    window.player = new Page(readGames(read('data-traces'), levels), levels.length > 0);
  } catch (error) {
    document.querySelector('main').replaceChildren(
        element('p', { class: 'bad', role: 'alert' }, say('page.no_data', { why: error.message })));
    byId('controls').hidden = true;
    console.error(error);
  }
}

begin();
