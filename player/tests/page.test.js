// The page in a headless Chromium, by keys, clicks and swipes. Skipped where there is no Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { reasonsOf } from '../src/levels.js';
import { Run } from '../src/model.js';
import { sentencesOf } from '../src/describe.js';
import { Walk } from '../src/walk.js';
import { Chromium, chromiumPath } from './chromium.js';
import {
  everyKindOfStep, executionsOfReader, levelsData, lostUpdateRun, player, treesOfLevels,
} from './traces.js';

const skip = chromiumPath ? false : 'there is no Chromium: apt-get install chromium';
const widths = [1280, 390];
const pageLimit = 400 * 1024;  // bytes, without the traces

const now = 'document.getElementById("now").textContent';
// What the page shows in the state that it is in: all that a step back must show again.
const shown = `JSON.stringify([${now}, document.getElementById("words").innerText,
  document.querySelector(".line.lit")?.innerText ?? "",
  [...document.querySelectorAll("#steps .step:not(.ahead) text")].map((one) => one.textContent),
  document.querySelectorAll("#steps .arrows:not(.ahead) .arrow").length,
  document.getElementById("report").innerText])`;
const valuesShown = `[...document.querySelectorAll("td[data-word]")].map((cell) =>
  [Number(cell.dataset.word), cell.querySelector("output").textContent])
  .sort((a, b) => a[0] - b[0]).map((pair) => pair[1])`;
const wide = 'document.documentElement.scrollWidth > window.innerWidth';

describe('the page', { skip }, () => {
  let browser;
  let folder;
  const levelsPage = () => join(folder, 'levels.html');

  const bundle = (name, ...traces) => {
    const files = traces.map((trace, index) => {
      const file = join(folder, `${name}${index}.json`);
      writeFileSync(file, JSON.stringify(trace));
      return file;
    });
    const page = join(folder, `${name}.html`);
    execFileSync('python3', [`${player}/bundle.py`, ...files, '--page', page]);
    return page;
  };

  const noTrouble = () => {
    assert.deepEqual(browser.errors, []);
    const outside = browser.requests.filter((url) => !/^(file|about|data):/.test(url));
    assert.deepEqual(outside, [], 'the page asks the network for nothing');
  };

  // Forward through all steps and back again: each state is shown twice and alike.
  const thereAndBack = async (run, width) => {
    const states = [await browser.ask(shown)];
    for (let position = 1; position <= run.length; ++position) {
      const [state, sentence, values, tooWide] = await browser.after('ArrowRight',
          `[${shown}, ${now}, ${valuesShown}, ${wide}]`);
      states.push(state);
      assert.ok(sentence.startsWith(sentencesOf(run, position - 1).join(' ')), `step ${position}`);
      assert.deepEqual(values, run.values(position).map((value) => value ?? '?'),
          `values after step ${position}`);
      assert.equal(tooWide, false, `no wider than ${width} pixels`);
    }
    assert.equal(await browser.after('ArrowRight', shown), states[run.length], 'no step more');
    for (let position = run.length - 1; position >= 0; --position) {
      assert.equal(await browser.after('ArrowLeft', shown), states[position],
          `back at ${position}`);
    }
    assert.equal(new Set(states).size, states.length, 'no two states look alike');
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'player-page-'));
    execFileSync('python3', [`${player}/bundle.py`, '--levels', folder]);
    browser = await new Chromium().begin();
  });
  after(async () => {
    await browser.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is small, and holds no < of the trace', () => {
    const trace = everyKindOfStep();
    const size = statSync(bundle('size', trace)).size - JSON.stringify(trace).length;
    assert.ok(size < pageLimit, `${size} bytes without the trace`);
  });

  for (const width of widths) {
    for (const trace of [lostUpdateRun(), everyKindOfStep()]) {
      test(`plays the run ${trace.program} there and back at ${width}`, async () => {
        await browser.open(bundle(`${trace.program}_run`, trace), { width });
        await thereAndBack(new Run(trace), width);
        noTrouble();
      });
    }
  }

  test('shows the race: both boxes, the dotted edge, the report and its cure', async () => {
    await browser.open(bundle('race', lostUpdateRun()), { width: 1280 });
    const missing = 'document.querySelectorAll("#steps g.missing:not(.ahead)").length';
    assert.equal(await browser.ask(missing), 0);
    await browser.press('x');
    assert.equal(await browser.ask('window.player.position'), 5);
    assert.equal(await browser.ask(missing), 1);
    assert.equal(await browser.ask('document.querySelectorAll("#steps .unordered").length'), 2);
    const text = await browser.ask('document.getElementById("report").innerText');
    for (const part of ['DATA RACE', 'Nothing orders the two.', 'One atomic operation.']) {
      assert.ok(text.includes(part), part);
    }
    await browser.press('ArrowLeft');
    assert.equal(await browser.ask(missing), 0);
    assert.equal(await browser.ask('document.querySelectorAll("#steps .unordered").length'), 0);
    noTrouble();
  });

  test('every key of a run does what the button does', async () => {
    await browser.open(bundle('keys', lostUpdateRun()), { width: 1280 });
    const position = () => browser.ask('window.player.position');
    const keys = [['End', 7, 'go-end'], ['Home', 0, 'go-start'], ['ArrowRight', 1, 'go-forward'],
      ['ArrowRight', 2, 'go-forward'], ['n', 4, 'go-thread'], ['ArrowLeft', 3, 'go-back'],
      ['x', 5, 'go-report']];
    for (const [key, to] of keys) {
      await browser.press(key);
      assert.equal(await position(), to, key);
    }
    await browser.press('Home');
    for (const [key, to, button] of keys) {
      await browser.click(`#${button}`);
      assert.equal(await position(), to, `${button} as ${key}`);
    }
    await browser.press('Home');
    await browser.ask('document.activeElement.blur()');
    await browser.press(' ');
    assert.equal(await position(), 1);
    assert.equal(await browser.ask('document.getElementById("go-play").getAttribute("aria-label")'),
        'Pause');
    await new Promise((resolve) => { setTimeout(resolve, 1600); });
    assert.ok(await position() >= 2, 'it plays');
    await browser.press(' ');
    const stopped = await position();
    await new Promise((resolve) => { setTimeout(resolve, 1300); });
    assert.equal(await position(), stopped, 'and pauses');
    noTrouble();
  });

  test('a step in the drawing and one in the list of steps can be clicked', async () => {
    await browser.open(bundle('clicked', everyKindOfStep()), { width: 1280 });
    await browser.click('#steps g.step .box');
    assert.equal(await browser.ask('window.player.position'), 1);
    await browser.click('#all-steps summary');
    await browser.ask('new Promise((done) => setTimeout(done, 100))');
    assert.equal(await browser.ask('document.querySelectorAll("#all-steps-list li").length'), 22);
    await browser.click('#all-steps-list li:nth-child(11) button');
    assert.equal(await browser.ask('window.player.position'), 11);
    assert.match(await browser.ask(now), /old value/);
    assert.equal(
        await browser.ask('document.querySelectorAll("#steps .arrows.now .stale").length'), 1);
    noTrouble();
  });

  test('a swipe over the sentence goes on and back', async () => {
    await browser.open(bundle('swipe', lostUpdateRun()), { width: 390, height: 844 });
    const sentence = () => browser.ask(`(() => {
      const box = document.getElementById("now").getBoundingClientRect();
      return { left: box.left + 20, right: box.right - 20, y: box.y + box.height / 2 };
    })()`);
    let { left, right, y } = await sentence();
    await browser.swipe({ x: right, y }, { x: left, y });
    assert.equal(await browser.ask('window.player.position'), 1);
    ({ left, right, y } = await sentence());  // the page begins with it now
    assert.ok(y < 100, `y is ${y}`);
    assert.match(await browser.ask('document.getElementById("now-code").innerText'), /^\d+ +\S/);
    await browser.swipe({ x: left, y }, { x: right, y });
    assert.equal(await browser.ask('window.player.position'), 0);
  });

  test('what has no line says why', async () => {
    const trace = lostUpdateRun();
    const caption = 'document.getElementById("source").innerText';
    trace.steps[0] = { thread: null, kind: 'others', place: null, word: 0, before: '0',
      after: '0' };
    trace.steps[1] = { thread: trace.steps[1].thread, kind: 'end', place: null };
    await browser.open(bundle('lines', trace));
    assert.match(await browser.after('ArrowRight', caption), /threads that are not shown/);
    assert.match(await browser.after('ArrowRight', caption), /A thread that ends has no line/);
  });

  test('several seeds are a list, and each opens at its start', async () => {
    const page = bundle('seeds', lostUpdateRun(1), lostUpdateRun(2), treesOfLevels()[0]);
    await browser.open(page, { width: 390 });
    assert.equal(await browser.ask('document.getElementById("game").options.length'), 3);
    await browser.press('End');
    await browser.ask('window.player.open(1)');
    assert.equal(await browser.ask('window.player.position'), 0);
    assert.match(await browser.ask('document.getElementById("game").selectedOptions[0].text'),
        /seed 2/);
    await browser.ask('window.player.open(2)');
    assert.equal(await browser.ask('document.getElementById("level-aim").hidden'), true);
    assert.match(await browser.ask('document.getElementById("level-before").textContent'),
        /choose the order/);
    assert.equal(await browser.ask(wide), false);
    noTrouble();
  });

  for (const width of widths) {
    test(`a program of the reader's is a level without an aim, at ${width}`, async () => {
      const trace = executionsOfReader();
      await browser.open(bundle('executions', trace), { width });
      const text = (id) => browser.ask(`document.getElementById("${id}").innerText`);
      assert.match(await text('level'), /^example\s+There is no aim here/);
      for (const key of ['0', '0']) await browser.press(key);
      const choices =
          '[...document.querySelectorAll("#choices button")].map((one) => one.innerText)';
      assert.deepEqual((await browser.ask(choices)).map((one) => one.replace(/\s+/g, ' ')),
          ['1 block 1 reads d_x[0]: 2', 'q block 1 reads d_x[0]: 1, old!',
            'Q block 1 reads d_x[0]: 0, old!']);
      await browser.press('q');
      const arrow = 'document.querySelectorAll("#steps .arrows.now .stale").length';
      assert.equal(await browser.ask(arrow), 1);
      assert.match(await text('now'), /the one that block 0 wrote in step 1/);
      assert.match(await text('outcome'), /seen 1\s+If each read got the newest value/);
      assert.match(await text('seen'), /1 of 3 orders/);
      assert.equal(await browser.ask(wide), false);
      const walk = new Walk(trace.trees[0], trace.sources);
      walk.plan(5);
      await browser.ask('window.player.plan(5)');
      await thereAndBack(walk.run(), width);
      noTrouble();
    });
  }

  test('a page without a trace says so', async () => {
    const page = bundle('empty', lostUpdateRun());
    await browser.open(page, {});
    await browser.ask('document.getElementById("data-traces").textContent = "[]"');
    const copy = join(folder, 'none.html');
    execFileSync('python3', ['-c', `import sys; sys.path.insert(0, ${JSON.stringify(player)})
import bundle, pathlib; pathlib.Path(${JSON.stringify(copy)}).write_text(bundle.page([]))`]);
    await browser.open(copy, {});
    assert.match(await browser.ask('document.querySelector("main").innerText'), /holds no trace/);
  });

  const traces = treesOfLevels();
  for (const [index, data] of levelsData().entries()) {
    const width = widths[index % 2];
    const trace = traces.find((one) => one.trees[0].name === data.tree);
    const walk = new Walk(trace.trees[0], trace.sources);

    // One level is played at one width, and the next one at the other.
    test(`the level ${data.name} can be won or shown impossible, at ${width}`, async () => {
      await browser.open(levelsPage(), { width, hash: `#${data.name}` });
      await browser.ask('localStorage.clear(); window.player.progress.clear()');
      const done = `window.player.progress.has("${data.name}")`;
      const verdict = 'document.getElementById("level-verdict").textContent';
      const { possible, winning } = await browser.ask(
          '({ possible: window.player.level.possible, winning: window.player.level.winning })');
      // By the keys alone, as a reader would: choose() shows which key goes to which node.
      const play = async (leaf) => {
        const keyOf = (node) => `document.querySelector('[data-node="${node}"]')?.dataset.choice`;
        const [first, ...others] = walk.wayTo(leaf);
        let key = await browser.after('r', keyOf(first));
        for (const next of others) key = await browser.after(key, keyOf(next));
        assert.equal(await browser.after(key, 'window.player.walk.node'), leaf);
      };
      if (possible) {
        const loses = walk.leaves.find((leaf) => !winning.includes(leaf));
        if (loses !== undefined) {
          await play(loses);
          assert.match(await browser.ask(verdict), /does not reach/);
          assert.equal(await browser.ask(done), false);
        }
        await browser.click('#level-claim');
        await browser.click('#level-reasons [data-reason="order"]');
        assert.match(await browser.ask(verdict), /^Wrong: it can be done.* in this level: 1\.$/);
        assert.match(await browser.ask('document.getElementById("level-count").textContent'),
            /wrong answers: 1$/);
        assert.equal(await browser.ask(done), false);
        await play(winning[0]);
        assert.match(await browser.ask(verdict), /^Done: you have reached/);
      } else {
        for (const leaf of walk.leaves) {
          assert.equal(await browser.ask(done), false);
          await play(leaf);
        }
        assert.match(await browser.ask(verdict), /^Done: you have seen all/);
        await browser.ask('localStorage.clear()');
        await browser.reload({ hash: `#${data.name}` });
        await browser.click('#level-claim');
        await browser.click('#level-reasons [data-reason="seldom"]');
        assert.match(await browser.ask(verdict), /this is not the reason.* in this level: 1\.$/);
        assert.equal(await browser.ask(done), false);
        await browser.click('#level-reasons [data-reason="seldom"]');
        assert.match(await browser.ask(verdict), / in this level: 1\.$/, 'it is said once');
        const right = reasonsOf(walk.tree).at(-1);
        await browser.click(`#level-reasons [data-reason="${right}"]`);
        assert.match(await browser.ask(verdict), /^Done: you are right/);
      }
      assert.equal(await browser.ask(done), true);
      assert.match(await browser.ask('document.getElementById("level-after").textContent'),
          /.{40}/);
      assert.equal(await browser.ask(
          `JSON.parse(localStorage.getItem("race-levels-done")).includes("${data.name}")`), true);
      assert.equal(await browser.ask(wide), false);
      noTrouble();
    });

    // Twelve traces with the two runs, at both widths; the other trees at one.
    for (const at of index < 10 ? widths : [width]) {
      test(`an order of ${data.name} is played there and back at ${at}`, async () => {
        await browser.open(levelsPage(), { width: at, hash: `#${data.name}` });
        const leaf = walk.leaves[Math.floor(walk.leaves.length / 2)];
        walk.plan(leaf);
        await browser.ask(`window.player.plan(${leaf})`);
        assert.equal(await browser.ask('window.player.run.length'), walk.run().length);
        await thereAndBack(walk.run(), at);
        noTrouble();
      });
    }
  }

  for (const width of widths) {
    test(`speaks Chinese where the address asks for it, at ${width} pixels`, async () => {
      await browser.open(levelsPage(), { width, hash: '?lang=zh-CN#lock_in_two_steps' });
      assert.equal(await browser.ask('document.documentElement.lang'), 'zh-CN');
      for (const key of '01010101') await browser.after(key, 'null');
      assert.equal(await browser.ask('location.hash'), '#lock_in_two_steps');
      assert.equal(await browser.ask(wide), false);
      // All but the source is Chinese, with names of CUDA in it.
      const said = await browser.ask(`(document.getElementById("source").remove(),
          document.body.innerText)`);
      assert.match(said, /[\u4e00-\u9fff]/);
      assert.doesNotMatch(said, /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i);
      noTrouble();
    });
  }

  test('what is done is there when the page is opened again', async () => {
    await browser.open(levelsPage(), { hash: '#mutex' });
    await browser.ask('localStorage.clear(); window.player.progress.clear()');
    await browser.click('#level-claim');
    await browser.click('#level-reasons [data-reason="order"]');
    const count = 'document.getElementById("level-count").textContent';
    assert.match(await browser.ask(count), /^1 of 17/, 'before it is opened again');
    await browser.reload({ hash: '#lost_update' });
    assert.match(await browser.ask(count), /^1 of 17/);
    await browser.ask('document.getElementById("level-clear").click()');
    assert.match(await browser.ask(count), /^1 of 17/, 'the first press only asks');
    await browser.ask('document.getElementById("level-clear").click()');
    assert.match(await browser.ask(count), /^0 of 17/);
    await browser.ask('window.player.progress.add("lost_update")');
    await browser.reload();
    assert.equal(await browser.ask('window.player.level.name'), 'three_threads');
  });

  test('the list of orders gives no answer away, and has those that were found', async () => {
    await browser.open(levelsPage(), { width: 1280, hash: '#lost_update' });
    const listed = `[...document.getElementById("order").options].map((one) => one.text)`;
    assert.equal((await browser.ask(listed)).length, 1);
    assert.equal(await browser.ask('document.getElementById("choose-order").hidden'), true);
    for (const key of '0011') await browser.press(key);
    const [, order, ...more] = await browser.ask(listed);
    assert.match(order, /^order 1: 0 0 1 1 - x = 2, right$/);
    assert.deepEqual(more, []);
    await browser.open(levelsPage(), { width: 1280, hash: '#message' });
    for (const key of '0001121') await browser.press(key);
    await browser.ask('window.player.end()');
    noTrouble();
  });

  test('a level that is done leads to the next one', async () => {
    await browser.open(levelsPage(), { width: 390, hash: '#lost_update' });
    const hidden = 'document.getElementById("level-on").hidden';
    assert.equal(await browser.ask(hidden), true);
    for (const key of '0101') await browser.press(key);
    assert.equal(await browser.ask(hidden), false);
    await browser.click('#level-on');
    assert.equal(await browser.ask('window.player.level.name'), 'three_threads');
    assert.equal(await browser.ask(hidden), true);
    noTrouble();
  });

  const focused = 'document.activeElement.id || document.activeElement.dataset.choice';
  test('who plays by keys has the focus at what there is to do next', async () => {
    for (const begins of ['document.activeElement.blur()',  // by digits alone, or on a choice
      'document.querySelector("[data-choice=\'0\']").focus()']) {
      await browser.open(levelsPage(), { hash: '#lost_update' });
      await browser.ask(begins);
      for (const key of '010') await browser.press(key);
      await browser.press('1');
      assert.equal(await browser.ask(focused), 'level-on');
      await browser.press('Enter');
      assert.equal(await browser.ask('window.player.level.name'), 'three_threads');
      assert.equal(await browser.ask(focused), 'level-name');
    }
    await browser.open(levelsPage(), { hash: '#lost_update' });
    await browser.ask('document.querySelector("[data-choice=\'0\']").focus()');
    for (const key of '001') await browser.press(key);
    assert.equal(await browser.ask(focused), '1', 'thread 0 has ended');
    await browser.press('1');
    assert.equal(await browser.ask(focused), 'level-back', 'the order misses the aim');
    await browser.press('Enter');
    assert.equal(await browser.ask('window.player.position'), 1);
    assert.equal(await browser.ask(focused), '0');
    await browser.open(levelsPage(), { hash: '#atomic_add' });
    await browser.ask('localStorage.clear(); window.player.progress.clear()');
    await browser.click('#level-claim');
    assert.equal(await browser.ask('document.activeElement.id'), 'level-why');
    await browser.ask('document.querySelector("[data-reason=one_step]").focus()');
    await browser.press('Enter');
    assert.equal(await browser.ask(focused), 'level-on');
    noTrouble();
  });

  test('the focus goes on in a browser without checkVisibility', async () => {
    await browser.open(levelsPage(), { hash: '#lost_update' });
    await browser.ask('delete Element.prototype.checkVisibility');
    for (const node of ['0', '1', '0', '1']) {
      await browser.ask(`document.querySelector('[data-choice="${node}"]').focus()`);
      await browser.press('Enter');
    }
    assert.equal(await browser.ask('document.activeElement.id'), 'level-on');
    noTrouble();
  });

  test('a dead end is told, and a button leads back to where it can still be done', async () => {
    await browser.open(levelsPage(), { width: 390, hash: '#lost_update' });
    await browser.ask('localStorage.clear(); window.player.progress.clear()');
    const hidden = 'document.getElementById("verdict-part").hidden';
    const told = 'document.getElementById("verdict-part").innerText';
    for (const key of '00') await browser.press(key);
    assert.equal(await browser.ask(hidden), true, 'the first order does not give away what can be');
    for (const key of '11') await browser.press(key);
    assert.match(await browser.ask(told), /Back to the last choice[^]*say that it cannot be done/);
    assert.doesNotMatch(await browser.ask('document.body.innerText'), /Orders that end like this/);
    await browser.press('r');
    for (const key of '110') await browser.press(key);
    assert.match(await browser.ask(told), /Back to where it can still be done[^]*A dead end/);
    await browser.press('0');
    assert.match(await browser.ask(told),
        /Back to where it can still be done[^]*This order does not reach the aim\.$/);
    await browser.click('#level-back');
    assert.equal(await browser.ask('window.player.position'), 1);
    assert.equal(await browser.ask(hidden), true);
    await browser.open(levelsPage(), { width: 390, hash: '#atomic_add' });
    for (const key of '01') await browser.press(key);
    assert.equal(await browser.ask(hidden), true, 'that none can reach it is not given away');
    await browser.press('2');
    assert.doesNotMatch(await browser.ask('document.body.innerText'), /Orders that end like this/);
    await browser.click('#level-claim');
    await browser.click('#level-reasons [data-reason="one_step"]');
    assert.match(await browser.ask('document.body.innerText'), /Orders that end like this: 6 of 6/);
    await browser.ask('localStorage.clear()');
    noTrouble();
  });

  test('a part of the reason is no wrong answer, and does not do', async () => {
    await browser.open(levelsPage(), { hash: '#mutex' });
    await browser.ask('localStorage.clear(); window.player.progress.clear()');
    await browser.click('#level-claim');
    for (const reason of ['one_step', 'wait']) {
      await browser.click(`#level-reasons [data-reason="${reason}"]`);
      assert.match(await browser.ask('document.getElementById("level-verdict").innerText'),
          /only a part of the reason/);
    }
    assert.equal(await browser.ask('window.player.progress.wrongIn("mutex")'), 0);
    await browser.click('#level-reasons [data-reason="order"]');
    assert.match(await browser.ask('document.getElementById("level-verdict").innerText'),
        /^Done: you are right/);
    noTrouble();
  });

  test('a key of a thread that cannot go says why; End goes on where all orders win', async () => {
    await browser.open(levelsPage(), { hash: '#lock_in_two_steps' });
    const head = 'document.getElementById("choices-head").innerText';
    for (const key of '010') await browser.press(key);
    assert.equal(await browser.ask(head), 'Who goes next?');
    await browser.press('1');
    assert.match(await browser.ask('document.getElementById("level-verdict").innerText'),
        /every order reaches the aim\. Choose on, or press End/);
    await browser.press('End');
    assert.match(await browser.ask('document.getElementById("level-verdict").innerText'), /^Done/);
    await browser.open(levelsPage(), { hash: '#lost_update' });
    for (const key of '00') await browser.press(key);
    await browser.press('0');
    assert.equal(await browser.ask(head), 'thread 0 has ended.');
    noTrouble();
  });

  test('digits on the list of levels are choices, and a win closes the reasons', async () => {
    await browser.open(levelsPage(), { hash: '#lost_update' });
    await browser.click('#level-claim');
    await browser.ask('document.getElementById("game").focus()');
    for (const key of '0101') await browser.press(key);
    assert.equal(await browser.ask('window.player.level.name'), 'lost_update');
    assert.match(await browser.ask('document.getElementById("level-verdict").innerText'), /^Done/);
    assert.equal(await browser.ask('document.getElementById("level-why").hidden'), true);
    await browser.click('#level-on');
    for (const key of '012012') await browser.press(key);
    assert.equal(await browser.ask(focused), 'level-on', 'from the name of the level, too');
    await browser.press('r');
    await browser.click('#level-claim');
    for (const key of '001122') await browser.press(key);
    await browser.click('#level-reasons [data-reason="seldom"]');
    assert.doesNotMatch(await browser.ask('document.getElementById("verdict-part").innerText'),
        /result is right/, 'the answer stands alone');
    noTrouble();
  });

  test('what is read aloud changes with the level and with the run', async () => {
    await browser.open(levelsPage(), { hash: '#lost_update' });
    await browser.ask(`window.spoken = []; new MutationObserver((changes) => changes.forEach(
        (change) => window.spoken.push(change.target.textContent))).observe(
        document.querySelector('#now[aria-live]'), { childList: true, characterData: true })`);
    await browser.click('#level-next');
    assert.deepEqual(await browser.ask('window.spoken'),
        ['2. Two lost updates: nothing has happened yet.']);
    assert.match(await browser.ask('document.title'), /^Two lost updates - /);
    assert.equal(await browser.ask(
        'document.querySelector("[aria-live]:not([hidden]) > #verdict-part") !== null'), true);
    await browser.open(bundle('spoken', lostUpdateRun(1), lostUpdateRun(2)), {});
    const first = await browser.ask(now);
    await browser.ask('window.player.open(1)');
    assert.notEqual(await browser.ask(now), first);
    noTrouble();
  });

  test('bold in the memory is what the last step has changed, and it is said', async () => {
    await browser.open(bundle('bold', everyKindOfStep()), {});
    const bold = `[...document.querySelectorAll("#words *")].filter((one) => one.textContent &&
        one.closest("thead") === null && Number(getComputedStyle(one).fontWeight) > 500)
        .map((one) => one.textContent)`;
    const run = new Run(everyKindOfStep());
    for (let position = 1; position <= run.length; ++position) {
      const step = run.steps[position - 1];
      const changes = step.word !== undefined && !step.fault && Run.writes(step);
      assert.deepEqual(await browser.after('ArrowRight', bold), changes ? [step.after] : [],
          `step ${position}`);
    }
    assert.match(await browser.ask('document.getElementById("words").innerText'),
        /A bold value was changed/);
  });

  test('the title has the variant, and the memory has the place as the report', async () => {
    const trace = lostUpdateRun();
    trace.arguments = ['--small', '--variant', 'no_lock'];
    trace.words[0] = { ...trace.words[0], name: '[15] of the 20 elements',
      what: '[15] of the 20 elements of 4 bytes allocated at example.cu:12' };
    for (const width of widths) {
      await browser.open(bundle('variant', trace), { width });
      assert.equal(await browser.ask('document.getElementById("title").textContent'),
          'Watch it happen: example, no_lock');
      assert.equal(await browser.ask('document.title'), 'Watch it happen: example, no_lock');
      await browser.press('End');
      assert.match(await browser.ask('document.querySelector("#words th[scope=row]").innerText'),
          /^\[15\] of the 20 elements\s+of 4 bytes allocated at example.cu:12$/);
      const boxes = await browser.ask(
          '[...document.querySelectorAll("#steps .what")].map((one) => one.textContent)');
      assert.equal(boxes.filter((text) => text.includes('[15]')).length, 4, boxes.join('|'));
      assert.equal(await browser.ask(wide), false);
    }
    noTrouble();
  });

  test('words of one name in two blocks are told apart, and nobody has written some', async () => {
    const trace = everyKindOfStep();
    const [first] = trace.words;
    trace.words = [...trace.words, { ...first, name: 'mine[1].count', memory: 'shared', block: 0,
      first: null }, { ...first, name: 'mine[1].count', memory: 'shared', block: 3, first: '0' }];
    await browser.open(bundle('twins', trace), {});
    const rows = await browser.ask(`[...document.querySelectorAll("#words tbody tr")]
        .map((row) => row.innerText.replace(/\\s+/g, " ")).filter((row) => /mine/.test(row))`);
    assert.equal(rows.length, 2);
    assert.match(rows[0], /^mine\[1\]\.count( \w+)? block 0 .*\? nobody yet$/);
    assert.match(rows[1], /^mine\[1\]\.count( \w+)? block 3 .*0 first value$/);
    const others = await browser.ask('document.getElementById("words").innerText');
    assert.equal(others.match(/block \d/g).length, 2, 'a name that is alone says no block');
    noTrouble();
  });

  test('a name that is somewhat long is not cut where the columns scroll', async () => {
    const trace = lostUpdateRun();
    trace.words[0] = { ...trace.words[0], name: 'particles[3].x' };
    trace.threads = [...trace.threads, ...Array.from({ length: 8 },
        (_, index) => ({ ...trace.threads[1], name: `block 1, thread ${index}`, block: 1,
          thread: index }))];
    for (const width of widths) {
      await browser.open(bundle('long', trace), { width });
      const boxes = await browser.ask(
          '[...document.querySelectorAll("#steps .what")].map((one) => one.textContent)');
      assert.ok(boxes.includes('writes particles[3].x'), boxes.join('|'));
      const isTooLong = await browser.ask(`[...document.querySelectorAll("#steps g.step")].some(
          (one) => one.querySelector(".what")?.getBBox().width >
              one.querySelector("rect")?.getBBox().width)`);
      assert.equal(isTooLong, false);
      assert.equal(await browser.ask(wide), false);
    }
    noTrouble();
  });

  test('the last level says what is left, and at last that nothing is', async () => {
    await browser.open(levelsPage(), {});
    const levels = levelsData();
    await browser.ask('window.player.progress.clear()');
    const finish = `(() => { window.player.open(${levels.length - 1});
      const { walk, level } = window.player;
      for (const node of walk.wayTo(level.winning[0])) window.player.go(node);
      return document.getElementById("level-after").innerText; })()`;
    assert.match(await browser.ask(finish), /This was the last level\. Not done yet: 1, 2, 3, /);
    await browser.ask(`window.player.games.forEach(
        ({ level }) => window.player.progress.add(level.name))`);
    assert.match(await browser.ask(finish),
        new RegExp(`This was the last level, and all ${levels.length} are done\\.$`));
    assert.match(await browser.ask('document.getElementById("verdict-outcome").innerText'),
        /^All threads wait without end\.$/);
    noTrouble();
  });

  test('the legend is short, and in groups', async () => {
    await browser.open(bundle('legend', lostUpdateRun()), { width: 390 });
    await browser.ask('document.getElementById("legend").closest("details").open = true');
    const groups = await browser.ask(`[...document.querySelectorAll("#legend ul")]
        .map((one) => one.children.length)`);
    assert.ok(groups.length >= 4 && Math.max(...groups) <= 7, groups.join(' '));
    assert.equal(await browser.ask(wide), false);
    noTrouble();
  });

  test('a level explains the words of CUDA in its source', async () => {
    await browser.open(levelsPage(), { width: 390, hash: '#message_released' });
    await browser.click('#terms-names');
    const text = await browser.ask('document.getElementById("terms").innerText');
    assert.match(text, /memory_order_release\n.*reads the stored value with acquire/);
    assert.match(text, /memory_order_acquire/);
    assert.doesNotMatch(text, /__threadfence/);
    await browser.ask('window.player.open(1)');
    assert.equal(await browser.ask('document.getElementById("terms-names").textContent'),
        'What the words mean: kernel');
    noTrouble();
  });

  test('a name that does not fit beside its step has a line of its own', async () => {
    const page = bundle('names', lostUpdateRun());
    const trace = lostUpdateRun();
    trace.words[0].name = 'table.d_pool[240].key';
    await browser.open(page, { width: 1280 });
    const lines = `[...document.querySelectorAll("#steps .step")].map((one) =>
        [...one.querySelectorAll(".what")].map((line) => line.textContent).join(" / "))`;
    assert.ok((await browser.ask(lines)).every((text) => !text.includes(' / ')));
    await browser.open(bundle('long_names', trace), { width: 390 });
    const long = await browser.ask(lines);
    const found = /^reads \/ (table|\u2026).*\[240\]\.key$/;
    assert.ok(long.some((text) => found.test(text)), String(long));
    noTrouble();
  });

  test('a report says its cure once, and has the list that a sentence announces', async () => {
    const trace = lostUpdateRun();
    const cure = trace.reports[0].missing.cures[0];
    trace.reports[0].sentences.push({ key: 'steps', text: 'Who waits where:' }, cure,
        { key: 'end', text: 'They wait.' });
    trace.reports[0].text = 'Nothing orders the two. Who waits where:\n  block 0\n    thread 1\n' +
        'One atomic operation.\nThey wait.\n';
    trace.outcome.right = null;
    await browser.open(bundle('sentences', trace), { width: 390 });
    await browser.press('End');
    const text = await browser.ask('document.querySelector("#report article").innerText');
    assert.equal(text.split('One atomic operation.').length, 2, text);
    assert.match(text, /Who waits where:\s+block 0\s+thread 1\s+They wait\./);
    const outcome = await browser.ask('document.getElementById("outcome").innerText');
    assert.doesNotMatch(outcome, /not recorded|wrong/);
    assert.match(outcome, /status 66: race mode/);
    assert.equal(await browser.ask(wide), false);
    noTrouble();
  });

  test('a cure stands where the report announces it, and a comma goes on', async () => {
    const trace = lostUpdateRun();
    const report = trace.reports[0];
    const [cure] = report.missing.cures;
    report.sentences = [{ key: 'first', text: 'One atomic reaches the other' },
      { key: 'rest', text: ', but that is not all. Missing:' },
      { key: 'what', text: 'a release by the first:' }, cure];
    report.text = 'One atomic reaches the other, but that is not all. Missing:\n' +
        `  a release by the first:\n    ${cure.text}\n`;
    await browser.open(bundle('announced', trace), { width: 390 });
    await browser.press('End');
    const text = await browser.ask(`[...document.querySelectorAll("#report article > p")]
        .map((one) => one.innerText).join("|")`);
    assert.ok(text.endsWith('|One atomic reaches the other, but that is not all. Missing:|' +
        `a release by the first:|${cure.text}`), text);
    // A lost update is told of no two accesses that lack an order: it names no cures.
    report.sentences[3] = { ...cure, key: 'other' };
    report.missing = null;
    await browser.open(bundle('lost', trace), { width: 390 });
    await browser.press('End');
    assert.deepEqual(await browser.ask(`[...document.querySelectorAll("#report .cure")]
        .map((one) => one.innerText)`), [cure.text]);
    noTrouble();
  });

  test('everything that can be pressed has a name, and Tab reaches it', async () => {
    for (const page of [levelsPage(), bundle('tab', lostUpdateRun())]) {
      await browser.open(page, { width: 390 });
      const nameless = await browser.ask(`[...document.querySelectorAll("button, select, input")]
        .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() ||
                           one.labels?.[0]?.textContent.trim())).map((one) => one.id)`);
      assert.deepEqual(nameless, []);
      const every = '[...document.querySelectorAll("button, select, input, summary")]';
      const all = await browser.ask(`${every}.filter((one) => one.checkVisibility() &&
          one.closest("details:not([open]) > :not(summary)") === null).length`);
      const reached = new Set();
      await browser.ask('document.body.focus()');
      for (let press = 0; press < all + 12; ++press) {
        await browser.press('Tab');
        reached.add(await browser.ask(`${every}.indexOf(document.activeElement)`));
      }
      reached.delete(-1);
      assert.equal(reached.size, all);
    }
  });

  test('texts have contrast, in light and in dark', async () => {
    for (const dark of [false, true]) {
      await browser.open(levelsPage(), { dark });
      const low = await browser.ask(`(() => {
        const style = getComputedStyle(document.documentElement);
        const canvas = document.createElement('canvas').getContext('2d');
        const light = (name) => {
          canvas.fillStyle = style.getPropertyValue(name);
          const parts = canvas.fillStyle.match(/[0-9a-f]{2}/g).map((two) => {
            const part = parseInt(two, 16) / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const low = [];
        for (const back of ['--back', '--panel', '--lit']) {
          for (const text of ['--text', '--dim', '--bad', '--good', '--t0', '--t1', '--t2', '--t3',
              '--t4', '--t5']) {
            if (back === '--lit' && text !== '--text') continue;
            const [a, b] = [light(text), light(back)];
            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (contrast < 4.5) low.push(text + ' on ' + back + ': ' + contrast.toFixed(2));
          }
        }
        return low;
      })()`);
      assert.deepEqual(low, [], dark ? 'dark' : 'light');
    }
  });

  test('where motion is to be reduced, nothing moves by itself', async () => {
    await browser.open(levelsPage(), { still: true });
    const moving = `[...document.querySelectorAll("*")].filter((one) => {
      const style = getComputedStyle(one);
      return parseFloat(style.transitionDuration) > 0 || style.animationName !== "none";
    }).length`;
    assert.equal(await browser.ask(moving), 0);
    await browser.open(levelsPage(), {});
    assert.ok(await browser.ask(moving) > 0);
  });
});
