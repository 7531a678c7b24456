// A walk through a tree of steps. The nodes that follow the last one are what can happen next: who
// chooses one of them is the scheduler. No kernel is known here; all was recorded.
import { Run } from './model.js';

export class Walk {
  // `tree` and `sources` as in docs/trace.md.
  constructor(tree, sources) {
    this.tree = tree;
    this.sources = sources;
    this.path = [];    // nodes, without node 0
    this.future = [];  // the nodes of a known way on, the nearest last
    this.seen = new Set();  // leaves
    this.parents = new Array(tree.nodes.length).fill(-1);
    tree.nodes.forEach((node, index) => node.next.forEach((next) => {
      this.parents[next] = index;
    }));
    this.leaves = tree.nodes.flatMap((node, index) => (node.next.length === 0 ? [index] : []));
  }

  get node() {
    return this.path.length === 0 ? 0 : this.path[this.path.length - 1];
  }

  get position() {
    return this.path.length;
  }

  // What can happen next: [{node, step}], by thread; of one thread the newest value first.
  choices(from = this.node) {
    return this.tree.nodes[from].next
        .map((node) => ({ node, step: this.tree.nodes[node].step }))
        .sort((a, b) => (a.step.thread - b.step.thread) ||
                        (Number(a.step.stale ?? false) - Number(b.step.stale ?? false)));
  }

  // Goes on to a node that choices() has named.
  go(node) {
    if (!this.tree.nodes[this.node].next.includes(node)) {
      throw new Error(`node ${node} does not follow node ${this.node}`);
    }
    if (this.future.length > 0 && this.future[this.future.length - 1] === node) this.future.pop();
    else this.future = [];
    this.path.push(node);
    if (this.ended) this.seen.add(this.node);
  }

  // Along the known way on; else where there is only one way. False where the reader must choose.
  forward() {
    const next = this.future.length > 0
        ? this.future[this.future.length - 1]
        : this.tree.nodes[this.node].next.length === 1 ? this.tree.nodes[this.node].next[0] : null;
    if (next === null) return false;
    this.go(next);
    return true;
  }

  back() {
    if (this.path.length > 0) this.future.push(this.path.pop());
  }

  // To any position of the known way.
  moveTo(position) {
    while (this.position > position) this.back();
    while (this.position < position && this.future.length > 0) this.forward();
  }

  // The last position before this one at which there was a choice; 0 where there was none.
  get lastChoice() {
    for (let at = this.position - 1; at > 0; --at) {
      if (this.tree.nodes[this.path[at - 1]].next.length > 1) return at;
    }
    return 0;
  }

  restart() {
    this.path = [];
    this.future = [];
  }

  // From the start, with the way to this leaf ahead.
  plan(leaf) {
    this.restart();
    for (let node = leaf; node !== 0; node = this.parents[node]) this.future.push(node);
  }

  get ended() {
    return this.tree.nodes[this.node].next.length === 0;
  }

  outcomeOf(leaf) {
    const index = this.tree.nodes[leaf].outcome;
    return index === undefined ? null : this.tree.outcomes[index];
  }

  // The outcome at the end of the way, or null on the way.
  get outcome() {
    return this.ended ? this.outcomeOf(this.node) : null;
  }

  // The nodes from the start to `node`, without node 0.
  wayTo(node) {
    const way = [];
    for (let at = node; at !== 0; at = this.parents[at]) way.push(at);
    return way.reverse();
  }

  // Has the thread a step somewhere after this point?
  hasMore(thread, from = this.node) {
    return this.tree.nodes[from].next.some(
        (next) => this.tree.nodes[next].step.thread === thread || this.hasMore(thread, next));
  }

  // Of a thread without a step after this point: does it wait without end? All ways on agree.
  waitsAtTheEnd(thread) {
    let node = this.node;
    while (this.tree.nodes[node].next.length > 0) node = this.tree.nodes[node].next[0];
    return (this.tree.nodes[node].waiting ?? []).includes(thread);
  }

  // Why can this thread not be chosen here? 'ended'; 'waits': its last step found that it must
  // wait, and nothing has changed that since, or never will; 'later': no other thread can notice
  // the next steps of the one that can go, so the order does not count.
  whyNot(thread) {
    if (!this.hasMore(thread)) return this.waitsAtTheEnd(thread) ? 'waits' : 'ended';
    const steps = this.path.map((node) => this.tree.nodes[node].step);
    const at = steps.findLastIndex((step) => step.thread === thread);
    if (at < 0) return 'later';
    const last = steps[at];
    const next = this.nextStepOf(thread);
    const again = next.kind === last.kind && next.word === last.word &&
        next.place?.line === last.place?.line;
    const changed = steps.slice(at + 1).some(
        (step) => step.word === last.word && step.before !== step.after);
    return last.kind === 'barrier' || (again && !changed) ? 'waits' : 'later';
  }

  // The next step of a thread on some way on: where it stands now. Null if it has none.
  nextStepOf(thread, from = this.node) {
    const next = this.tree.nodes[from].next;
    const own = next.find((node) => this.tree.nodes[node].step.thread === thread);
    if (own !== undefined) return this.tree.nodes[own].step;
    for (const node of next) {
      const step = this.nextStepOf(thread, node);
      if (step) return step;
    }
    return null;
  }

  // The way so far and the known way on, as a run: nodes become positions in it.
  run() {
    const nodes = [...this.path, ...[...this.future].reverse()];
    const places = new Map(nodes.map((node, index) => [node, index]));
    const steps = nodes.map((node) => {
      const step = { ...this.tree.nodes[node].step };
      if (typeof step.reads === 'number') step.reads = places.get(step.reads) ?? null;
      if (step.edges) {
        step.edges = step.edges.filter((edge) => places.has(edge.from))
            .map((edge) => ({ ...edge, from: places.get(edge.from) }));
      }
      return step;
    });
    return new Run({
      threads: this.tree.threads,
      words: this.tree.words,
      steps,
      sources: this.sources,
      launches: this.tree.launches,
    });
  }
}
