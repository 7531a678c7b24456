// Opens each run of the page $PAGE in a headless Chromium: nothing fails, what is reported is shown
// at its steps, and the end has the values that the trace has. tests/trace_test.py calls it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { Chromium, chromiumPath } from './chromium.js';

describe('the page of recorded runs', {
  skip: chromiumPath ? false : 'there is no Chromium: apt-get install chromium',
}, () => {
  let browser;
  before(async () => {
    browser = await new Chromium().begin();
  });
  after(() => browser.end());

  for (const width of [1280, 390]) {
    test(`shows every run and every report at ${width}`, async () => {
      await browser.open(process.env.PAGE, { width, dark: width === 390 });
      const count = await browser.ask('window.player.games.length');
      assert.ok(count > 0);
      for (let index = 0; index < count; ++index) {
        const shown = await browser.ask(`(() => {
          const { player } = window;
          player.open(${index});
          const { run } = player;
          const text = (id) => document.getElementById(id).innerText;
          const lacks = run.reports.filter((report) => {
            player.moveTo(Math.max(...report.steps) + 1);
            return !text('report').includes(report.kind) || !text('now').includes(report.kind);
          }).map((report) => report.kind);
          player.end();
          const cells = [...document.querySelectorAll('td[data-word]')];
          return {
            title: document.getElementById('game').selectedOptions[0]?.text ?? '',
            lacks,
            missed: run.length - player.position,
            boxes: document.querySelectorAll('#steps g.step').length - run.length,
            values: cells.filter((cell) => cell.querySelector('output').textContent !==
                (run.valueOf(Number(cell.dataset.word), run.length) ?? '?')).length,
            outcome: text('outcome') !== '',
            tooWide: document.documentElement.scrollWidth > window.innerWidth,
          };
        })()`);
        assert.deepEqual(shown, { title: shown.title, lacks: [], missed: 0, boxes: 0, values: 0,
          outcome: true, tooWide: false });
      }
      assert.deepEqual(browser.errors, []);
    });
  }
});
