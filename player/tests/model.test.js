// The model of a run, the walk of a tree, levels, sentences: without a browser.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { boxOf, choiceOf, reportSentence, sentencesOf } from '../src/describe.js';
import { signGroups, signsOf } from '../src/legend.js';
import { Level, Progress, reaches, reasons, reasonsOf } from '../src/levels.js';
import { Run, checkTrace, programOf } from '../src/model.js';
import { outcomeSentences, outcomeText } from '../src/report.js';
import { hasSentence, languageFor, say, sentences, speak } from '../src/sentences.js';
import { termsInSource, termsOfRun, termsOfRuns } from '../src/terms.js';
import { Walk } from '../src/walk.js';
import { placeOf, wordOrder } from '../src/words.js';
import {
  everyKindOfStep, executionsOfReader, levelsData, lostUpdateRun, treesOfLevels,
} from './traces.js';

const trees = treesOfLevels();
const treeOf = (name) => trees.find((trace) => trace.trees[0].name === name);
const walkOf = (name) => new Walk(treeOf(name).trees[0], treeOf(name).sources);

test('a document that is no trace of version 1 is refused, and the reason is said', () => {
  assert.throws(() => checkTrace(null), /no trace/);
  assert.throws(() => checkTrace({ format: 'other' }), /no trace/);
  assert.throws(() => checkTrace({ format: 'race-trace', version: 2, kind: 'run' }), /version 2/);
  assert.throws(() => checkTrace({ format: 'race-trace', version: 1, kind: 'x' }), /kind x/);
  assert.doesNotThrow(() => checkTrace(lostUpdateRun()));
});

test('the value of each word after each step is what the steps say', () => {
  for (const trace of [lostUpdateRun(), everyKindOfStep()]) {
    const run = new Run(trace);
    const words = trace.words.map((word) => word.first);
    trace.steps.forEach((step, index) => {
      assert.deepEqual(run.values(index), words);
      if (step.word !== undefined && !step.fault) {
        assert.equal(run.valueOf(step.word, index), step.before, `before step ${index + 1}`);
        words[step.word] = step.after;
      }
    });
    assert.deepEqual(run.values(run.length), words);
  }
});

test('a store of the value that was there is a write all the same', () => {
  const run = new Run(lostUpdateRun());
  assert.equal(run.lastWrite(0, 5), 4);
  assert.equal(run.lastWrite(0, 4), 3);
  assert.equal(run.lastWrite(0, 3), -1);
});

test('what a thread has read last, and its next step', () => {
  const run = new Run(lostUpdateRun());
  assert.equal(run.lastRead(1, 1), null);
  assert.deepEqual(run.lastRead(1, 4), { word: 0, got: '0', step: 1 });
  assert.equal(run.nextOf(1, 2), 4);
  assert.equal(run.nextOf(0, 1), null);
});

test('a report is there after the last of its steps', () => {
  const run = new Run(lostUpdateRun());
  assert.deepEqual(run.reportsAt(4), []);
  assert.equal(run.reportsAt(5).length, 1);
  assert.equal(run.nextReport(0), 5);
  assert.equal(run.nextReport(5), 5);
  assert.match(reportSentence(run, run.reports[0]),
      /^DATA RACE: nothing orders .*step 4 of thread 0/);
});

test('who holds a lock, from the step that takes it to the one that frees it', () => {
  const walk = walkOf('mutex');
  walk.plan(walk.leaves[0]);
  const run = walk.run();
  const lock = run.words.findIndex((word) => word.role === 'lock');
  const spans = run.holds(lock);
  assert.deepEqual(spans.map((span) => span.thread).sort(), [0, 1]);
  for (const { thread, from, to } of spans) {
    assert.deepEqual(run.holders(lock, from), []);
    for (let at = from + 1; at <= to; ++at) assert.deepEqual(run.holders(lock, at), [thread]);
    assert.deepEqual(run.holders(lock, to + 1), []);
  }
});

test('a lock that is never given back is held to the end', () => {
  const walk = walkOf('two_locks');
  walk.plan(walk.leaves.find((leaf) => walk.outcomeOf(leaf).stuck));
  const run = walk.run();
  assert.deepEqual([run.holders(0, run.length), run.holders(1, run.length)], [[0], [1]]);
});

test('threads are named as shortly as is clear', () => {
  const run = new Run(lostUpdateRun());
  assert.deepEqual([0, 1, 2].map((thread) => run.nameOf(thread)),
      ['the host', 'thread 0', 'thread 1']);
  assert.deepEqual([0, 1, 2].map((thread) => run.signOf(thread)), ['H', '0', '1']);
  const blocks = walkOf('message').run();
  assert.equal(blocks.nameOf(1), 'block 1');
});

test('every step of every kind has its sentences and its box', () => {
  const run = new Run(everyKindOfStep());
  const kinds = new Set(run.steps.map((step) => step.kind));
  assert.deepEqual([...kinds].sort(), ['atomic', 'barrier', 'copy', 'end', 'fence', 'host',
    'launch', 'load', 'others', 'store', 'wait', 'warp']);
  run.steps.forEach((step, index) => {
    const all = sentencesOf(run, index);
    for (const sentence of all) {
      assert.match(sentence, /^[A-Z][^{}]*\.$/, `step ${index + 1}: ${sentence}`);
      assert.doesNotMatch(sentence, /undefined|null/);
    }
    assert.equal(boxOf(run, step).length, 2);
  });
  assert.match(sentencesOf(run, run.steps.findIndex((step) => step.stale)).join(' '),
      /old value.*newer write/);
});

test('a walk: on, back, along the known way, and to any position', () => {
  const walk = walkOf('lost_update');
  const go = (thread) => walk.go(walk.choices().find((one) => one.step.thread === thread).node);
  assert.deepEqual(walk.choices().map((one) => one.step.thread), [0, 1]);
  [0, 1, 0].forEach(go);
  const before = walk.run();
  walk.back();
  walk.back();
  assert.equal(walk.position, 1);
  assert.deepEqual(walk.run().steps, before.steps);  // the way on is known still
  assert.ok(walk.forward() && walk.forward());
  assert.deepEqual(walk.run().steps, before.steps);
  walk.moveTo(0);
  walk.moveTo(3);
  assert.equal(walk.position, 3);
  assert.equal(walk.ended, false);
  assert.ok(walk.forward());  // only one thread has steps left
  assert.deepEqual(walk.outcome.lines, ['x = 1']);
  assert.equal(walk.forward(), false);
  assert.equal(walk.seen.size, 1);
  assert.throws(() => walk.go(1), /does not follow/);
});

test('another choice forgets the known way', () => {
  const walk = walkOf('lost_update');
  walk.plan(walk.leaves[0]);
  assert.equal(walk.run().length, 4);
  walk.forward();
  const other = walk.choices().find((one) => one.node !== walk.future[walk.future.length - 1]);
  walk.go(other.node);
  assert.deepEqual(walk.future, []);
  assert.equal(walk.run().length, 2);
});

for (const trace of [...trees, executionsOfReader()]) {
  const [tree] = trace.trees;
  test(`the tree ${tree.name}: along each way the values follow each other`, () => {
    const walk = new Walk(tree, trace.sources);
    assert.equal(walk.leaves.length, tree.orders);
    const times = tree.outcomes.map(() => 0);
    for (const leaf of walk.leaves) {
      walk.plan(leaf);
      const run = walk.run();
      run.steps.forEach((step, index) => {
        if (step.word === undefined) return;
        assert.equal(run.valueOf(step.word, index), step.before);
        if (step.got === undefined) return;
        if (!step.stale) assert.equal(step.got, step.before);
        const source = step.reads === null
            ? run.words[step.word].first : run.steps[step.reads].after;
        assert.equal(step.got, source, `${tree.name}: step ${index + 1} reads what was written`);
        if (step.stale) {
          assert.notEqual(run.lastWrite(step.word, index), step.reads ?? -1);
        }
      });
      while (walk.forward());
      assert.equal(walk.node, leaf);
      times[tree.nodes[leaf].outcome] += 1;
    }
    assert.deepEqual(times, tree.outcomes.map((outcome) => outcome.times));
    assert.equal(walk.seen.size, tree.orders);
  });
}

test('in a tree of executions a thread has a choice for each value, the newest first', () => {
  const trace = checkTrace(executionsOfReader());
  const walk = new Walk(trace.trees[0], trace.sources);
  walk.forward();
  walk.forward();
  assert.equal(walk.forward(), false, 'the reader chooses');
  assert.deepEqual(walk.choices().map(({ step }) => step.got), ['2', '1', '0']);
  walk.go(4);
  const run = walk.run();
  assert.equal(run.steps[2].reads, 0, 'the old value is that of the first write');
  assert.match(sentencesOf(run, 2).join(' '), /gets 1\. It gets an old value.*step 1.*step 2/);
  assert.equal(run.valueOf(0, 3), '2', 'memory has the newest value');
  assert.equal(outcomeText(walk.outcome), 'seen 1');
  walk.back();
  walk.go(5);
  assert.match(sentencesOf(walk.run(), 2).join(' '), /an old value: the first one/);
});

// Which aims can be reached is the lesson: it stands here, and not in the levels' data.
const possible = {
  lost_update: 4, three_threads: 48, atomic_add: 0, cas_no_retry: 4, cas_loop: 0, use_then_add: 18,
  old_values: 0, tree_without_barrier: 2, message: 4, message_released: 0, last_block: 6,
  last_block_fenced: 0, lock_in_two_steps: 120, lock_without_fence: 8, mutex: 0, two_locks: 4,
  barrier_twice: 16,
};

test('why a thread cannot be chosen: it has ended, it waits, or it has its turn later', () => {
  const go = (walk, thread) => {
    walk.go(walk.choices().find((choice) => choice.step.thread === thread).node);
  };
  const lost = walkOf('lost_update');
  go(lost, 0);
  go(lost, 0);
  assert.equal(lost.whyNot(0), 'ended');
  const tree = walkOf('tree_without_barrier');
  go(tree, 0);
  assert.equal(tree.choices().length, 1);
  assert.equal(tree.whyNot(1), 'later');
  while (tree.choices().length === 1) tree.forward();
  go(tree, 1);
  assert.equal(tree.whyNot(0), 'later');
  const mutex = walkOf('mutex');
  go(mutex, 0);
  assert.equal(mutex.whyNot(1), 'later');
  while (mutex.choices().length === 1) mutex.forward();
  go(mutex, 1);
  assert.match(sentencesOf(mutex.run(), mutex.position - 1)[0], /^Thread 1 finds the lock taken/);
  assert.equal(mutex.whyNot(1), 'waits');
});

const goTo = (walk, threads) => {
  for (const thread of threads) {
    walk.go(walk.choices().find((choice) => choice.step.thread === Number(thread)).node);
  }
};

test('a thread that waits without end has not ended', () => {
  for (const [name, threads, waits] of [['two_locks', '010', 0], ['barrier_twice', '01110', 0]]) {
    const walk = walkOf(name);
    goTo(walk, threads);
    assert.equal(walk.whyNot(waits), 'waits', name);
    while (!walk.ended) walk.go(walk.choices()[0].node);
    assert.equal(walk.outcome.stuck, true, name);
    assert.deepEqual([0, 1].map((thread) => walk.whyNot(thread)), ['waits', 'waits']);
  }
});

test('two threads may hold a lock that is taken in two steps, and each gives it back', () => {
  const walk = walkOf('lock_in_two_steps');
  goTo(walk, '0101');
  const lock = walk.tree.words.findIndex((word) => word.role === 'lock');
  assert.deepEqual(walk.run().holders(lock, 4), [0, 1]);
  goTo(walk, '111');
  assert.deepEqual(walk.run().holders(lock, 7), [0]);
});

test('where every order on reaches the aim, it is said, and not at the end or before', () => {
  const data = levelsData().find((one) => one.name === 'lock_in_two_steps');
  const level = new Level(data, walkOf(data.tree));
  assert.equal(level.isSure, false);
  goTo(level.walk, '010');
  assert.equal(level.isSure, false);
  goTo(level.walk, '1');  // now both hold the lock
  assert.equal(level.isSure, true);
  while (!level.walk.ended) level.walk.go(level.walk.choices()[0].node);
  assert.equal(level.isSure, false);
  assert.equal(level.reached, true);
  const impossible = levelsData().find((one) => one.name === 'mutex');
  assert.equal(new Level(impossible, walkOf('mutex')).sure.size, 0);
});

test('an exchange that gives a lock back does not hide what the thread has read', () => {
  const walk = walkOf('mutex');
  walk.plan(walk.leaves[0]);
  const run = walk.run();
  const last = run.steps.findIndex((step) => step.function === 'atomicExch');
  const read = run.lastRead(run.steps[last].thread, last + 1);
  assert.equal(run.words[read.word].name, 'x');
  const places = walkOf('old_values');
  goTo(places, '0');
  assert.deepEqual(places.run().lastRead(0, 1), { word: 0, got: '0', step: 0 });
});

test('a read that its thread has used is no more outdated', () => {
  const run = new Run(lostUpdateRun());
  const used = (thread, position) =>
      run.hasWrittenSince(thread, run.lastRead(thread, position), position);
  assert.equal(used(1, 3), false);
  assert.equal(used(1, 4), true);
  assert.equal(used(2, 4), false, 'thread 1 has written, and thread 2 will write over it');
  assert.equal(used(1, 5), true, 'also after thread 2 has written');
  const walk = walkOf('atomic_add');
  walk.plan(walk.leaves[0]);
  const atomics = walk.run();
  for (const thread of [0, 1, 2]) {
    assert.equal(atomics.hasWrittenSince(thread, atomics.lastRead(thread, 3), 3), true);
  }
});

test('a choice does not tell that a compare-and-swap will fail', () => {
  const walk = walkOf('cas_no_retry');
  goTo(walk, '010');
  const run = walk.run();
  const [{ step }] = walk.choices();
  assert.ok(Run.failed(step));
  assert.deepEqual(choiceOf(run, step), ['atomicCAS x', '']);
  assert.equal(boxOf(run, step)[0], 'tries x');
  const lock = walkOf('two_locks');
  goTo(lock, '01');  // now both can see that the other lock is taken
  assert.deepEqual(lock.choices().map((one) => choiceOf(lock.run(), one.step)[0]),
      ['tries b', 'tries a']);
});

test('an outcome in sentences does not judge the reader', () => {
  assert.equal(outcomeSentences({ lines: ['x = 1'], right: false }),
      'x = 1. The result is wrong.');
  assert.equal(outcomeSentences({ lines: [], stuck: true }), 'All threads wait without end.');
  assert.equal(outcomeSentences({ lines: ['a', 'b'], right: null }), 'a, b.');
});

test('an edge is told as what has happened by then', () => {
  const launched = sentencesOf(new Run(lostUpdateRun()), 1).join(' ');
  assert.match(launched, /Its kernel was launched by the host in step 1\.$/);
  const run = new Run(everyKindOfStep());
  const all = run.steps.map((_, index) => sentencesOf(run, index).join(' '));
  assert.ok(all.some((text) => /Once all have come, it sees what .* did up to/.test(text)));
});

test('of a lost update the read is known whose value has changed since', () => {
  const run = new Run(lostUpdateRun());
  assert.equal(run.outdatedRead(run.reports[0]), 2);
  assert.equal(run.outdatedRead({ steps: [1, 3] }), null);
});

test('a sign is a digit only where it is the number of a thread or a block', () => {
  const trace = lostUpdateRun();
  trace.threads[1] = { ...trace.threads[1], name: 'block 3, thread 47', block: 3, thread: 47 };
  const run = new Run(trace);
  assert.deepEqual([0, 1, 2].map((thread) => run.signOf(thread)), ['H', 'b', 'a']);
  assert.deepEqual([1, 2].map((thread) => run.keyOf(thread)), ['2', '1']);
  const blocks = walkOf('message').run();
  assert.deepEqual([0, 1].map((thread) => blocks.signOf(thread)), ['0', '1']);
  trace.threads = Array.from({ length: 30 },
      (_, index) => ({ ...trace.threads[1], block: index, thread: index % 2 }));
  const signs = trace.threads.map((_, thread) => new Run({ ...trace, steps: [] }).signOf(thread));
  assert.equal(new Set(signs).size, 30);
});

test('the legend has the signs that the run has, each once, and no others', () => {
  const all = Object.values(signGroups).flat();
  assert.equal(new Set(all).size, all.length);
  const lost = signsOf(new Run(lostUpdateRun()));
  for (const sign of lost) assert.ok(all.includes(sign), sign);
  const sorted = (signs) => [...signs].sort();
  assert.deepEqual(sorted(lost), ['ahead', 'edge', 'host', 'load', 'missing', 'now', 'number',
    'outdated', 'store', 'unordered']);
  const every = signsOf(new Run(everyKindOfStep()));
  for (const sign of ['failed', 'old', 'stale', 'saw', 'fence', 'barrier', 'lock', 'lock_word',
    'flag', 'counter', 'unknown', 'edge', 'atomic']) {
    assert.ok(every.has(sign), sign);
  }
  assert.ok(!every.has('missing'));
  const { tree } = walkOf('lost_update');
  const steps = tree.nodes.map(({ step }) => step ?? { thread: null });
  assert.deepEqual(sorted(signsOf({ ...tree, steps })),
      ['ahead', 'load', 'now', 'number', 'saw', 'store']);
});

test('the title of a run has its variant, or its arguments', () => {
  const of = (...all) => programOf({ program: 'hash_table', arguments: all });
  assert.equal(programOf({ program: 'a' }), 'a');
  assert.equal(of(), 'hash_table');
  assert.equal(of('--small', '--variant', 'no_lock'), 'hash_table, no_lock');
  assert.equal(of('--variant=no_lock'), 'hash_table, no_lock');
  assert.equal(of('1000', 'in.txt'), 'hash_table 1000 in.txt');
  assert.equal(of('--variant'), 'hash_table --variant');
});

test('a word is placed as the report places it', () => {
  const what = '[3] of the 20 elements of 4 bytes allocated at a.cu:5';
  assert.equal(placeOf({ name: '[3] of the 20 elements', what }),
      'of 4 bytes allocated at a.cu:5');
  assert.equal(placeOf({ name: 'd_x[3]', what }), what);
  assert.equal(placeOf({ name: what, what }), '');
  assert.equal(placeOf({ name: 'counter', what: 'the variable counter' }), '');
});

test('columns stand in the order of blocks and threads', () => {
  const trace = lostUpdateRun();
  trace.threads = [trace.threads[0], trace.threads[2], trace.threads[1]];
  assert.deepEqual(new Run(trace).columns(), [0, 2, 1]);
});

test('a row of the same step is one, and what lies between launches is told apart', () => {
  const trace = lostUpdateRun();
  trace.steps[1].times = 5080;
  trace.steps.unshift({ thread: null, kind: 'others', place: null, word: 0, before: '7',
    after: '0' });
  const run = new Run({ ...trace, words: [{ ...trace.words[0], first: '7' }], reports: [] });
  assert.deepEqual(boxOf(run, run.steps[2]), ['finds 0 again', '5080 times']);
  assert.match(sentencesOf(run, 2).join(' '), /5080 times in a row/);
  assert.match(sentencesOf(run, 0).join(' '), /^Before the next launch .* 7 becomes 0\.$/);
});

test('what is relaxed or a full fence says nothing of its order; what orders does', () => {
  const walk = walkOf('last_block_fenced');
  walk.plan(walk.leaves[0]);
  const all = walk.run().steps.map((_, index) => sentencesOf(walk.run(), index).join(' '));
  assert.ok(all.some((text) => /makes a fence for its device\.$/.test(text)));
  assert.doesNotMatch(all.join(' '), /relaxed|seq_cst/);
  const released = walkOf('message_released');
  released.plan(released.leaves[0]);
  const steps = released.run().steps.map((_, index) => sentencesOf(released.run(), index));
  assert.match(steps.flat().join(' '),
      /Its memory order is release, and its scope is device\./);
});

test('of each level so many orders reach the aim', () => {
  const counts = Object.fromEntries(levelsData().map((data) => {
    const level = new Level(data, walkOf(data.tree));
    return [data.name, level.winning.length];
  }));
  assert.deepEqual(counts, possible);
  assert.ok(levelsData().length >= 12);
});

test('an aim holds where each of its parts does', () => {
  const outcome = { lines: ['x = 1', 'late'], right: false };
  assert.ok(reaches({ right: false }, outcome));
  assert.ok(reaches({ line: 'late' }, outcome));
  assert.ok(!reaches({ line: 'x = 2' }, outcome));
  assert.ok(!reaches({ stuck: true }, outcome));
  assert.ok(!reaches({ line: 'late', right: true }, outcome));
});

test('a level that cannot be won is done when all orders are seen, and not before', () => {
  const walk = walkOf('atomic_add');
  const level = new Level(levelsData().find((data) => data.name === 'atomic_add'), walk);
  walk.leaves.forEach((leaf, index) => {
    assert.equal(level.done, false, `after ${index} orders`);
    walk.plan(leaf);
    while (walk.forward());
  });
  assert.equal(level.done, true);
});

// Why an aim cannot be reached is the lesson, too.
const why = {
  atomic_add: ['one_step'], cas_loop: ['one_step', 'retry'], old_values: ['one_step'],
  message_released: ['order'], last_block_fenced: ['one_step', 'order'],
  mutex: ['one_step', 'wait', 'order'],
};

test('who says that it cannot be done is right only with a reason that the steps show', () => {
  for (const data of levelsData()) {
    const level = new Level(data, walkOf(data.tree));
    const judged = Object.fromEntries(reasons.map((reason) => [reason, level.judge(reason)]));
    if (possible[data.name] > 0) {
      assert.deepEqual([...new Set(Object.values(judged))], ['possible'], data.name);
      continue;
    }
    assert.deepEqual(reasonsOf(level.walk.tree), why[data.name], data.name);
    for (const reason of reasons) {
      const expected = reason === why[data.name].at(-1) ? 'right'
          : why[data.name].includes(reason) ? 'part' : 'reason';
      assert.equal(judged[reason], expected, `${data.name}: ${reason}`);
    }
    assert.equal(judged.seldom, 'reason');
  }
  const { tree } = walkOf('atomic_add');
  const partial = new Level(levelsData()[2], new Walk({ ...tree, complete: false }, []));
  assert.equal(partial.judge('one_step'), 'unknown', 'a tree that lacks orders proves nothing');
});

test('a dead end is where no order on reaches the aim, and the way back leads out of it', () => {
  for (const data of levelsData()) {
    const level = new Level(data, walkOf(data.tree));
    const { walk } = level;
    for (const leaf of walk.leaves) {
      walk.plan(leaf);
      assert.equal(level.isLost, false, `${data.name}: not at the start`);
      const reachable = () => {
        const below = (node) => [node, ...walk.tree.nodes[node].next.flatMap(below)];
        return below(walk.node).some((node) => level.winning.includes(node));
      };
      while (walk.forward()) {
        const lost = level.possible && !walk.ended && !reachable();
        assert.equal(level.isLost, lost, `${data.name}: node ${walk.node}`);
        if (!lost) continue;
        walk.moveTo(level.lastOpen);
        assert.ok(reachable() && walk.choices().length > 1, `${data.name}: node ${walk.node}`);
        break;
      }
    }
  }
});

test('the last choice is the last point before this one where another thread could go', () => {
  const walk = walkOf('lost_update');
  assert.equal(walk.lastChoice, 0);
  goTo(walk, '0');
  assert.equal(walk.lastChoice, 0);
  goTo(walk, '011');
  assert.equal(walk.lastChoice, 1, 'thread 1 had no choice once thread 0 had ended');
  assert.equal(walk.tree.nodes[walk.path[0]].next.length, 2);
});

test('progress is kept, and a storage that is broken or forbidden does no harm', () => {
  const kept = new Map();
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
  };
  new Progress(storage).add('mutex');
  assert.ok(new Progress(storage).has('mutex'));
  for (const count of [1, 2]) {
    new Progress(storage).addWrong('message');
    assert.equal(new Progress(storage).wrongIn('message'), count);
  }
  assert.equal(new Progress(storage).wrongIn('mutex'), 0);
  new Progress(storage).clear();
  assert.ok(!new Progress(storage).has('mutex'));
  assert.equal(new Progress(storage).wrongIn('message'), 0);
  for (const nonsense of ['{nonsense', '3', 'null', '[1]', '{"a": "b"}']) {
    kept.set('race-levels-done', nonsense);
    kept.set('race-levels-wrong', nonsense);
    assert.equal(new Progress(storage).names.size, 0);
    assert.equal(new Progress(storage).wrongIn('a'), 0);
  }
  const refuse = () => { throw new Error('no'); };
  const forbidden = { getItem: refuse, setItem: refuse };
  const progress = new Progress(forbidden);
  progress.add('mutex');
  assert.ok(progress.has('mutex'));
});

test('of many words, those of reports come first and that of the last step is shown', () => {
  const words = Array.from({ length: 30 }, (_, index) => ({
    name: `w${index}`, role: index === 20 ? 'lock' : 'data', first: '0',
  }));
  const step = (word) => ({ thread: 0, kind: 'store', place: null, word, before: '0', after: '1' });
  const run = new Run({
    threads: [{ kind: 'kernel', name: 't', block: 0, thread: 0 }], words, sources: [],
    steps: [step(29), step(7)], reports: [{ kind: 'R', steps: [1], sentences: [], missing: null }],
  });
  assert.deepEqual(wordOrder(run, 0).slice(0, 3), [7, 20, 0]);
  assert.ok(wordOrder(run, 1).indexOf(29) < 12);
  assert.equal(new Set(wordOrder(run, 1)).size, 30);
});

test('say() fills the places of a sentence, and tells what is missing', () => {
  assert.equal(say('seen', { seen: 3, all: 6 }), 'You have seen 3 of 6 orders.');
  assert.throws(() => say('no such key'), /no sentence/);
  assert.throws(() => say('seen', { seen: 3 }), /needs all/);
});

test('a sentence of a report announces its lines by a colon, in Chinese too', async () => {
  const { ReportView } = await import('../src/report.js');
  for (const colon of [':', '\uff1a']) {
    const report = {
      text: `  One${colon}\n    thread 1\n    thread 2\n  Two.\n`,
      sentences: [{ text: `One${colon}` }, { text: 'Two.' }],
    };
    assert.deepEqual(new ReportView(null).linesAfter(report, 0), ['    thread 1', '    thread 2']);
    assert.deepEqual(new ReportView(null).linesAfter(report, 1), []);
  }
});

test('another language has every sentence, with the same places', () => {
  const table = JSON.parse(readFileSync(new URL('../words.zh-CN.json', import.meta.url), 'utf8'));
  const places = (sentence) => [...sentence.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();
  assert.deepEqual(Object.keys(table).sort(), Object.keys(sentences.en).sort());
  for (const [key, sentence] of Object.entries(table)) {
    assert.deepEqual(places(sentence), places(sentences.en[key]), key);
  }
  assert.equal(languageFor('zh', { 'zh-CN': table }), 'zh-CN');
  assert.equal(languageFor('zh-Hans-CN', { 'zh-CN': table }), 'zh-CN');
  assert.equal(languageFor('fr', { 'zh-CN': table }), 'en');
  try {
    speak('zh-CN', table);
    // No blank between Chinese characters, one beside a digit.
    const run = new Run(lostUpdateRun());
    assert.equal(run.nameOf(0), '\u4e3b\u673a');
    assert.equal(run.nameOf(1), '\u7ebf\u7a0b 0');
    assert.equal(run.signOf(2), '1');
    assert.equal(say('words.holder', { thread: run.nameOf(1) }),
        '\u7531\u7ebf\u7a0b 0 \u6301\u6709');
    // No English but the name of an order, in brackets: "its order is release".
    assert.match(say('step.order.fence', { order: say('order.release') }),
        /\u91ca\u653e\uff08release\uff09/);
    const launches = lostUpdateRun();
    launches.threads[2].launch += 1;
    assert.equal(new Run(launches).nameOf(1), '\u7ebf\u7a0b\u5757 0 \u7684\u7ebf\u7a0b 0');
    speak('zh-CN', {});
    assert.equal(say('go.start'), 'Start', 'what a language lacks is said in English');
  } finally {
    speak('en');
  }
  assert.equal(new Run(lostUpdateRun()).nameOf(1), 'thread 0');
});

test('every key that the page asks for is in the table, and each sentence is asked for', () => {
  const folder = new URL('../src/', import.meta.url);
  const code = readdirSync(folder).filter((name) => name !== 'sentences.js')
      .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const page = readFileSync(new URL('../page.html', import.meta.url), 'utf8');
  const asked = new Set();
  for (const text of [...code, page]) {
    for (const found of text.matchAll(/['"]([a-z]+(?:\.[\w-]+)+|seen)['"]/g)) asked.add(found[1]);
  }
  for (const key of asked) {
    if (/\.(js|cuh)$/.test(key)) continue;
    assert.ok(hasSentence(key), `${key} is not in the table`);
  }
  const kinds = ['load', 'store', 'atomic', 'fence', 'barrier', 'warp', 'copy', 'launch', 'host',
    'wait', 'end', 'others'];
  const ofLevels = levelsData().flatMap((data) => data.terms ?? []);
  const terms = [...Object.keys(termsInSource), ...termsOfRuns, ...ofLevels];
  const signs = Object.values(signGroups).flat();
  const built = new RegExp(
      `^(step|box)\\.(${kinds.join('|')}|takes|frees|waits)(\\.plain|\\.lock)?$|` +
      '^step\\.edge\\.|^words\\.role\\.|^level\\.' +
      `|^term\\.(${terms.join('|')})(\\.is)?$|^sign\\.(${signs.join('|')})$` +
      `|^legend\\.(${Object.keys(signGroups).join('|')})$|^reason\\.(${reasons.join('|')})$`);
  for (const sign of signs) assert.ok(hasSentence(`sign.${sign}`), sign);
  for (const group of Object.keys(signGroups)) assert.ok(hasSentence(`legend.${group}`), group);
  for (const reason of reasons) assert.ok(hasSentence(`reason.${reason}`), reason);
  for (const term of terms) assert.ok(hasSentence(`term.${term}.is`), term);
  for (const key of Object.keys(sentences.en)) {
    assert.ok(asked.has(key) || built.test(key), `nothing asks for ${key}`);
  }
  for (const [name, sign] of Object.entries(termsInSource)) {
    assert.ok(hasSentence(`term.${name}`) && hasSentence(`term.${name}.is`), name);
    assert.ok(trees.some((trace) => sign.test(JSON.stringify(trace.sources))), name);
  }
  const run = lostUpdateRun();
  assert.deepEqual(termsOfRun(new Run(run), run), ['seed', 'word', 'prefixes', 'kernel']);
  const words = {
    critical_section: /critical section/, barrier: /barrier/, tree: /\btree\b/, word: /\bword\b/,
    block: /\bblock\b/,
  };
  for (const data of levelsData()) {
    for (const part of ['', '.before', '.aim', '.after']) {
      assert.ok(hasSentence(`level.${data.name}${part}`), `level.${data.name}${part}`);
    }
    const text = say(`level.${data.name}.before`) + say(`level.${data.name}.aim`);
    for (const [term, word] of Object.entries(words)) {
      assert.equal(data.terms?.includes(term) ?? false, word.test(text), `${data.name}: ${term}`);
    }
  }
});
