// Levels: a tree, an aim, and which of them the reader has done.

// The words of CUDA that a level explains where they stand in its source.
export const termsInSource = {
  atomicExch: /atomicExch/, atomicCAS: /atomicCAS/, atomic_ref: /atomic_ref/,
  relaxed: /memory_order_relaxed/, release: /memory_order_release/,
  acquire: /memory_order_acquire/, fence: /__threadfence/, nanosleep: /__nanosleep/,
};

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
// orders have been seen or the reader has said so.
export class Level {
  constructor(data, walk) {
    this.name = data.name;
    this.chapter = data.chapter;
    this.aim = data.aim ?? null;
    this.walk = walk;
    this.winning = this.aim ? winningLeaves(this.aim, walk) : [];
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

  // The reader says that the aim cannot be reached. A tree that lacks orders proves nothing.
  claimIsRight() {
    return this.aim !== null && !this.possible && this.walk.tree.complete;
  }
}

// Which levels are done, in the browser's storage: where that is forbidden, in memory only.
export class Progress {
  constructor(storage, key = 'race-levels-done') {
    this.storage = storage;
    this.key = key;
    this.names = new Set();
    try {
      const kept = JSON.parse(storage?.getItem(key) ?? '[]');
      if (Array.isArray(kept)) {
        this.names = new Set(kept.filter((name) => typeof name === 'string'));
      }
    } catch {
      // What is kept there is not ours, or may not be read: begin anew.
    }
  }

  has(name) {
    return this.names.has(name);
  }

  add(name) {
    this.names.add(name);
    this.keep();
  }

  clear() {
    this.names.clear();
    this.keep();
  }

  keep() {
    try {
      this.storage?.setItem(this.key, JSON.stringify([...this.names]));
    } catch {
      // Full or forbidden: it lasts as long as the page.
    }
  }
}
