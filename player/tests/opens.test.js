// Opens each run of the page $PAGE, or of each page in the folder $PAGE, in a headless Chromium,
// and of each tree some ways: nothing fails, what is reported is shown at its steps, and the end
// has the values that the trace has. tests/trace_test.py calls it.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';

import { Chromium, chromiumPath } from './chromium.js';

const { PAGE } = process.env;
const pages = statSync(PAGE).isDirectory()
    ? readdirSync(PAGE).filter((name) => name.endsWith('.html')).map((name) => `${PAGE}/${name}`)
    : [PAGE];

// Plays all that the page holds, and returns what was not as it should be.
const faults = `window.player.games.flatMap((game, index) =>
    (game.walk?.leaves.slice(0, 30) ?? [null]).flatMap((leaf) => {
  const { player } = window;
  player.open(index);
  if (leaf !== null) player.plan(leaf);
  const { run } = player;
  const text = (id) => document.getElementById(id).innerText;
  const wrong = run.reports.filter((report) => {
    player.moveTo(Math.max(...report.steps) + 1);
    return !text('report').includes(report.kind) || !text('now').includes(report.kind);
  }).map((report) => report.kind + ' is not shown');
  player.end();
  if (run.length === 0 || player.position !== run.length) wrong.push('it does not end');
  if (document.querySelectorAll('#steps g.step').length !== run.length) wrong.push('a box lacks');
  for (const cell of document.querySelectorAll('td[data-word]')) {
    const value = run.valueOf(Number(cell.dataset.word), run.length) ?? '?';
    const shown = cell.querySelector('output').textContent;
    if (shown !== value) wrong.push(shown + ' in the place of ' + value);
  }
  // What is drawn later lies above: an arrow crosses no text.
  const first = document.querySelector('#steps g.step');
  if ([...document.querySelectorAll('#steps path.arrow')].some((arrow) =>
    first.compareDocumentPosition(arrow) & Node.DOCUMENT_POSITION_FOLLOWING)) {
    wrong.push('an arrow lies above a step');
  }
  for (const others of document.querySelectorAll('#steps text.others')) {
    const [inner, outer] = [others, others.previousElementSibling].map((one) => one.getBBox());
    if (inner.x < outer.x || inner.x + inner.width > outer.x + outer.width) {
      wrong.push('an arrow is seen between letters');
    }
  }
  if (text('outcome') === '') wrong.push('no outcome');
  if (document.documentElement.scrollWidth > window.innerWidth) wrong.push('it is too wide');
  return wrong.map((one) => index + 1 + ': ' + one);
}))`;

describe('the page of recorded runs', {
  skip: chromiumPath ? false : 'there is no Chromium: apt-get install chromium',
}, () => {
  let browser;
  before(async () => {
    browser = await new Chromium().begin();
  });
  after(() => browser.end());

  test('there is a page', () => assert.ok(pages.length > 0));
  for (const page of pages) {
    test(`every run and every report of ${page} is shown`, async () => {
      for (const width of [1280, 390]) {
        await browser.open(page, { width, dark: width === 390 });
        assert.deepEqual(await browser.ask(faults), [], `at ${width}`);
        assert.deepEqual(browser.errors, []);
      }
    });
  }
});
