// Looks at the pages of the built site in headless Chromium.
//
//   node book/browser_test.mjs FOLDER [PAGE...]    FOLDER/site holds the site
//
// All pages of notes and ten source pages by draw (or the named ones, such as /docs/way.html) at
// 1280 and 390 pixels, light and dark: nothing is wider than the page, each picture loads, the
// console has no error; at 1280 pixels axe-core has no serious finding. A chapter's page with all
// that it loads is at most 600 KB. The cheat sheet is two pages on paper. The search finds an
// English and a Chinese word. On a phone, a tap beside a point of a chart says its figures, in
// sight. DRAW=N draws other source pages.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pagesOf, serve, siteOf, startBrowser } from './site.mjs'

const MAX_BYTES = 600_000
const DRAWN = 10
const WAIT = 300_000 // ms: a busy machine is slow, and that is no finding
const [folder, ...named] = process.argv.slice(2)
const book = folder && resolve(folder)
const site = siteOf(book)
const axe = readFileSync(createRequire(join(book, 'package.json')).resolve('axe-core'), 'utf-8')

/** `count` of the elements, by a seed. */
function draw(elements, count, seed) {
  const rest = [...elements]
  const drawn = []
  while (drawn.length < count && rest.length) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    drawn.push(...rest.splice(Math.floor((seed / 2147483648) * rest.length), 1))
  }
  return drawn
}

/** In the page: what is wider than it and does not scroll, and the pictures that did not load. */
function look() {
  const width = document.documentElement.clientWidth
  const scrolls = (element) => {
    for (let e = element.parentElement; e; e = e.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)) return true
    return false
  }
  const wide = [...document.querySelectorAll('.VPContent *')]
    .filter((e) => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
    .map((e) => `${e.tagName.toLowerCase()} reaches ${Math.round(e.getBoundingClientRect().right)}`)
  if (document.documentElement.scrollWidth > width)
    wide.unshift(`the page is ${document.documentElement.scrollWidth} wide`)
  return { wide: wide.slice(0, 3),
    missing: [...document.images].filter((i) => !i.naturalWidth).map((i) => i.src) }
}

const all = pagesOf(site)
const seed = Number(process.env.DRAW ?? Math.floor(Date.now() / 1000) % 100000)
const notes = all.filter((page) => !page.startsWith('/source/'))
const pages = named.length ? named
  : [...notes, ...draw(all.filter((page) => page.startsWith('/source/')), DRAWN, seed)]
const chapters = new Set(all.filter((page) => /^\/\w+\/index.html$/.test(page) &&
  all.includes(page.replace('index', 'times'))))
const server = await serve(site)
const browser = await startBrowser(book)
let problems = 0
let heaviest = 0
const problem = (...words) => {
  problems += 1
  console.log(...words)
}
const tab = await (await browser.newContext()).newPage()
tab.setDefaultTimeout(WAIT)
let place = ''
let bytes = 0
tab.on('pageerror', (error) => problem(`${place}: ${error}`))
tab.on('console', (said) => said.type() === 'error' && problem(`${place}: ${said.text()}`))
tab.on('response', async (response) => {
  if (response.status() >= 400) problem(`${place}: ${response.url()}: ${response.status()}`)
  bytes += (await response.body().catch(() => '')).length
})
for (const page of pages) {
  place = page
  bytes = 0
  await tab.setViewportSize({ width: 1280, height: 900 })
  // To wait until the network is idle takes half a second: only where all bytes count.
  await tab.goto(server.address + page,
    { waitUntil: chapters.has(page) ? 'networkidle' : 'load' })
  await tab.waitForFunction(() => document.querySelector('#app').__vue_app__ &&
    [...document.images].every((image) => image.complete))
  if (chapters.has(page)) {
    heaviest = Math.max(heaviest, bytes)
    if (bytes > MAX_BYTES)
      problem(`${place}: loads ${bytes} bytes, expected ${MAX_BYTES} at most`)
  }
  await tab.evaluate(axe)
  for (const [width, scheme] of [[1280, 'light'], [1280, 'dark'], [390, 'dark'], [390, 'light']]) {
    place = `${page} at ${width}, ${scheme}`
    await tab.setViewportSize({ width, height: 900 })
    await tab.emulateMedia({ colorScheme: scheme })
    await tab.waitForFunction((dark) => document.documentElement.classList.contains('dark') ===
      dark, scheme === 'dark')
    await tab.evaluate(() => document.getAnimations().forEach((some) => some.finish()))
    const { wide, missing } = await tab.evaluate(look)
    for (const one of wide) problem(`${place}: ${one}`)
    for (const one of missing) problem(`${place}: the picture ${one} does not load`)
    // All rules once; what a rule other than that of contrast says does not change with colours.
    // What is the same on all pages, the bars, is looked at on the first one.
    if (width < 1280 && page !== pages[0]) continue
    const options = width === 1280 && scheme === 'light' ? {}
      : { runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size'] }
    // Of a block of code its first lines stand for all: the colours are the same on all pages.
    const where = page === pages[0] ? null
      : { include: ['.VPContent'], exclude: ['pre .line ~ .line ~ .line'] }
    const found = await tab.evaluate(([context, some]) =>
      axe.run(context ?? document, { ...some, resultTypes: ['violations'] }), [where, options])
    for (const one of found.violations.filter((v) => /serious|critical/.test(v.impact)))
      problem(`${place}: axe-core: ${one.id}: ${one.help}: ${one.nodes.length} times, first ` +
        one.nodes[0].html.slice(0, 120))
  }
}

/** On a phone: what is wrong with a tap beside the first point of each chart of a page. */
async function tapped(page) {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true,
    isMobile: true })
  const tab = await phone.newPage()
  tab.setDefaultTimeout(WAIT)
  await tab.goto(server.address + page, { waitUntil: 'load' })
  await tab.waitForFunction(() => document.querySelector('#app').__vue_app__)
  const wrong = []
  for (const chart of await tab.locator('.chart').all()) {
    const point = chart.locator('circle:has(title)').first()
    const expected = await point.locator('title').textContent()
    await point.scrollIntoViewIfNeeded()
    const { x, y, width, height } = await point.boundingBox()
    await tab.touchscreen.tap(x + width / 2 - 12, y + height / 2) // beside it no other is nearer
    const line = chart.locator('output')
    await line.waitFor({ timeout: 10_000 }).catch(() => {})
    const said = (await line.count()) ? await line.textContent() : 'nothing'
    const box = await line.boundingBox({ timeout: 1000 }).catch(() => null)
    if (said !== expected || !box || box.y < 0 || box.y + box.height > 844 + 1)
      wrong.push(`a tap beside a point says ${said}, expected in sight ${expected}`)
  }
  await phone.close()
  return wrong
}
const charts = pages.filter((page) => readFileSync(join(site, page), 'utf-8')
  .includes('<div class="chart"'))
if (!named.length && !charts.length) problem('no page has a chart')
for (const page of charts)
  for (const one of await tapped(page)) problem(`${page}: ${one}`)

// The cheat sheet is two pages on paper.
const sheet = '/docs/cheat_sheet.html'
if (pages.includes(sheet)) {
  await tab.goto(server.address + sheet, { waitUntil: 'load' })
  const pdf = await tab.pdf({ preferCSSPageSize: true })
  const sheets = (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length
  if (sheets < 1 || sheets > 2) problem(`${sheet}: ${sheets} pages on paper, expected 2 at most`)
}
await tab.close()

/** Does the search from a page find a word? */
async function finds(page, word) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  tab.setDefaultTimeout(WAIT)
  await tab.goto(server.address + page, { waitUntil: 'load' })
  await tab.click('.DocSearch-Button')
  await tab.fill('.VPLocalSearchBox input', word)
  const [found, nothing] = ['.result', '.no-results'].map((what) =>
    tab.locator(`.VPLocalSearchBox ${what}`).first())
  await found.or(nothing).waitFor()
  const isFound = await found.isVisible()
  await tab.close()
  return isFound
}
const words = [['/index.html', 'release'], ...(all.includes('/zh/index.html')
  ? [['/zh/index.html', '\u7ebf\u7a0b\u5757']] : [])]
for (const [page, word] of words)
  if (!(await finds(page, word))) problem(`${page}: the search finds no page with ${word}`)
if (await finds('/index.html', 'qqqqqq')) problem('the search finds a word that is nowhere')
await browser.close()
server.close()
console.log(`${pages.length} pages (source pages drawn with DRAW=${seed}), ${charts.length} ` +
  `with charts, ${words.length} searches, ${problems} problems; the heaviest chapter loads ` +
  `${Math.round(heaviest / 1000)} KB`)
process.exit(problems || !pages.length ? 1 : 0)
