// Levels: a tree, an aim, and which of them the reader has done.

import { Run } from './model.js';

// Why can an aim not be reached? The reader says one of these; the last one is never right.
export const reasons = ['one_step', 'retry', 'wait', 'order', 'seldom'];

// Those of them that the steps of a tree show. The last one is the whole reason; the others are a
// part of it, which is true of levels that can be won, too.
export function reasonsOf(tree) {
  const steps = tree.nodes.slice(1).map((node) => node.step);
  const ofLock = (step) => tree.words[step.word].role === 'lock';
  const failed = steps.filter(Run.failed);
  const shown = [];
  if (steps.some((step) => step.kind === 'atomic')) shown.push('one_step');
  if (failed.some((step) => !ofLock(step))) shown.push('retry');
  if (failed.some(ofLock)) shown.push('wait');
  if (steps.some((step) => step.edges?.some(({ kind }) => kind === 'release-acquire'))) {
    shown.push('order');
  }
  return shown;
}

// Does an outcome reach the aim? Each key of the aim must hold: `right` and `stuck` as they stand
// in the outcome, `line` as one of its lines.
export function reaches(aim, outcome) {
  return Object.entries(aim).every(([key, wanted]) => {
    if (key === 'line') return (outcome.lines ?? []).includes(wanted);
    return (outcome[key] ?? false) === wanted;
  });
}

// The leaves of a walk's tree that reach the aim.
export function winningLeaves(aim, walk) {
  return walk.leaves.filter((leaf) => {
    const outcome = walk.outcomeOf(leaf);
    return outcome !== null && reaches(aim, outcome);
  });
}

// A level as it is played. It is done when the aim is reached; where no order reaches it, when all
// orders have been seen or the reader has said so and why.
export class Level {
  constructor(data, walk) {
    this.name = data.name;
    this.chapter = data.chapter;
    this.aim = data.aim ?? null;
    this.terms = data.terms ?? [];  // of its sentences, to be explained
    this.walk = walk;
    this.winning = this.aim ? winningLeaves(this.aim, walk) : [];
    // The nodes from which some order reaches the aim.
    this.open = new Set(this.winning.flatMap((leaf) => [0, ...walk.wayTo(leaf)]));
    // The nodes from which every order reaches the aim. A node comes before those that follow it.
    this.sure = new Set(this.winning);
    for (let node = walk.tree.nodes.length - 1; node >= 0; --node) {
      const { next } = walk.tree.nodes[node];
      if (next.length > 0 && next.every((one) => this.sure.has(one))) this.sure.add(node);
    }
  }

  get possible() {
    return this.winning.length > 0;
  }

  // Has the reader come to where no order can miss the aim any more, but not to the end?
  get isSure() {
    return this.walk.outcome === null && this.sure.has(this.walk.node);
  }

  // Has the reader come to where the aim cannot be reached any more, but not to the end? Not of a
  // level that can never be won: that is what the reader has to find out.
  get isLost() {
    return this.possible && this.walk.outcome === null && !this.open.has(this.walk.node);
  }

  // The last position on the way from which the aim can still be reached.
  get lastOpen() {
    const lost = this.walk.path.findIndex((node) => !this.open.has(node));
    return lost < 0 ? this.walk.position : lost;
  }

  // May the page say that a dead end is reached? Not in the first order: it would give away that
  // the aim can be reached.
  get tellsDeadEnds() {
    return this.possible && this.walk.seen.size > (this.walk.ended ? 1 : 0);
  }

  get reached() {
    return this.aim !== null && this.walk.outcome !== null && reaches(this.aim, this.walk.outcome);
  }

  // Complete: not only all leaves of this tree, but all orders that there are.
  get allSeen() {
    return this.walk.tree.complete && this.walk.seen.size === this.walk.leaves.length;
  }

  // Is it done by what the reader did last?
  get done() {
    return this.aim !== null && (this.reached || (!this.possible && this.allSeen));
  }

  // The reader says that the aim cannot be reached, and why: is it 'right', or 'part' of the
  // reason, or the 'reason' wrong, or can it be done ('possible')? 'unknown': a tree that lacks
  // orders proves nothing.
  judge(reason) {
    if (this.possible) return 'possible';
    if (this.aim === null || !this.walk.tree.complete) return 'unknown';
    const shown = reasonsOf(this.walk.tree);
    return reason === shown.at(-1) ? 'right' : shown.includes(reason) ? 'part' : 'reason';
  }
}

// Which levels are done, and how many wrong answers were given in each, in the browser's storage:
// where that is forbidden, in memory only.
export class Progress {
  constructor(storage, keyOfDone = 'race-levels-done', keyOfWrong = 'race-levels-wrong') {
    this.storage = storage;
    this.keyOfDone = keyOfDone;
    this.keyOfWrong = keyOfWrong;
    const done = this.read(keyOfDone);
    this.names = new Set(
        Array.isArray(done) ? done.filter((name) => typeof name === 'string') : []);
    const wrong = this.read(keyOfWrong);
    this.wrong = new Map(wrong !== null && typeof wrong === 'object'
        ? Object.entries(wrong).filter(([, count]) => Number.isInteger(count) && count > 0) : []);
  }

  read(key) {
    try {
      return JSON.parse(this.storage?.getItem(key) ?? 'null');
    } catch {
      return null;  // what is kept there is not ours, or may not be read: begin anew
    }
  }

  has(name) {
    return this.names.has(name);
  }

  add(name) {
    this.names.add(name);
    this.keep();
  }

  wrongIn(name) {
    return this.wrong.get(name) ?? 0;
  }

  addWrong(name) {
    this.wrong.set(name, this.wrongIn(name) + 1);
    this.keep();
  }

  clear() {
    this.names.clear();
    this.wrong.clear();
    this.keep();
  }

  keep() {
    try {
      this.storage?.setItem(this.keyOfDone, JSON.stringify([...this.names]));
      this.storage?.setItem(this.keyOfWrong, JSON.stringify(Object.fromEntries(this.wrong)));
    } catch {
      // Full or forbidden: it lasts as long as the page.
    }
  }
}
