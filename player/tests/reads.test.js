// The page's own model reads each trace in the folder $TRACES, and those in its folders: every step
// has its sentences and its box, and the values after each step are the trace's. No browser.
// tests/trace_test.py calls it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { boxOf, reportSentence, sentencesOf } from '../src/describe.js';
import { checkTrace, Run } from '../src/model.js';
import { Walk } from '../src/walk.js';

const waysOfTree = 200;

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.name.endsWith('.json') ? [path] : [];
  });
}

// `isWhole`: no step is left out.
function readAll(run, isWhole) {
  assert.ok(run.length > 0, 'it has steps');
  const values = run.words.map((word) => word.first);
  run.steps.forEach((step, index) => {
    assert.ok(sentencesOf(run, index).every((text) => text.length > 0), `step ${index + 1}`);
    assert.equal(boxOf(run, step).length, 2, `the box of step ${index + 1}`);
    assert.ok(step.place === null || typeof run.lineText(step.place) === 'string');
    if (typeof step.reads === 'number') assert.ok(Run.writes(run.steps[step.reads]), 'no write');
    if (step.word !== undefined && !step.fault) values[step.word] = step.after;
    assert.deepEqual(run.values(index + 1), values, `values after step ${index + 1}`);
    // A stale read points at the old write, or at what was there before.
    if (step.stale && (isWhole || step.reads !== null)) {
      const found = step.reads === null ? run.words[step.word].first : run.steps[step.reads].after;
      assert.equal(step.got, found, `what step ${index + 1} has got`);
    }
  });
  for (const report of run.reports) {
    assert.ok(reportSentence(run, report).includes(report.kind));
    assert.ok(run.reportsAt(run.length).includes(report));
  }
  assert.equal(run.columns().length, run.threads.length);
  run.words.forEach((_, word) => run.holds(word));
}

const files = filesIn(process.env.TRACES);
test('there are traces', () => assert.ok(files.length > 0));
for (const file of files) {
  test(`the model reads ${file}`, () => {
    const trace = checkTrace(JSON.parse(readFileSync(file, 'utf8')));
    if (trace.kind === 'run') readAll(new Run(trace), false);
    for (const tree of trace.trees ?? []) {
      const walk = new Walk(tree, trace.sources);
      for (const leaf of walk.leaves.slice(0, waysOfTree)) {
        walk.plan(leaf);
        readAll(walk.run(), true);
        assert.ok(walk.outcomeOf(leaf));
      }
    }
  });
}
