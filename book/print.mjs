// Prints the straight way, from the start page to the last step, as one PDF with contents and page
// numbers.
//
//   node book/print.mjs FOLDER    FOLDER/site holds the site; writes FOLDER/book.pdf
//
// Chromium prints all pages as one document, twice: the first time shows on which page each step
// begins, which the contents of the second one say. Needs pdftotext (Debian: poppler-utils).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serve, siteOf, startBrowser } from './site.mjs'

// The theme's book.css has what all pages on paper share.
const STYLE = `
  @page { size: A4; margin: 18mm 16mm 20mm }
  html, body { background: white; color: black }
  article { break-before: page; max-width: none }
  .contents li { display: flex; justify-content: space-between; margin: 3pt 0 }
  .contents ol { padding: 0; list-style: none }`
const FOOTER = '<div style="width: 100%; text-align: center; font-size: 8px">' +
  '<span class="pageNumber"></span></div>'

/** In the page: all articles in place of what is there, the contents first. */
async function compose({ paths, names, style }) {
  const id = (path, place) => `p${paths.indexOf(path)}${place ? `-${place}` : ''}`
  const articles = []
  for (const path of paths) {
    const text = await (await fetch(path)).text()
    const source = new DOMParser().parseFromString(text, 'text/html').querySelector('.vp-doc')
    const article = document.createElement('article')
    article.className = 'vp-doc'
    article.id = id(path)
    article.innerHTML = source.innerHTML
    article.querySelectorAll('.watch').forEach((some) => some.remove())
    article.querySelectorAll('details').forEach((some) => { some.open = true })
    article.querySelectorAll('[id]').forEach((some) => { some.id = id(path, some.id) })
    article.querySelectorAll('a[href]').forEach((link) => {
      const to = new URL(link.getAttribute('href'), new URL(path, location.origin))
      const target = to.pathname.endsWith('/') ? `${to.pathname}index.html` : to.pathname
      if (to.origin !== location.origin) return
      if (paths.includes(target)) link.href = `#${id(target, decodeURIComponent(to.hash.slice(1)))}`
      else link.replaceWith(...link.childNodes) // a page that is not in the PDF
    })
    articles.push(article)
  }
  const contents = document.createElement('section')
  contents.className = 'vp-doc contents'
  contents.innerHTML = '<h1></h1><ol></ol>'
  contents.firstChild.textContent = document.title
  names.forEach((name, number) => {
    const row = document.createElement('li')
    row.innerHTML = '<a></a><span class="page">000</span>'
    row.firstChild.textContent = name
    row.firstChild.href = `#${id(paths[number])}`
    contents.lastChild.append(row)
  })
  document.documentElement.classList.remove('dark')
  document.body.replaceChildren(contents, ...articles)
  const sheet = document.createElement('style')
  sheet.textContent = style
  document.head.append(sheet)
  await Promise.all([...document.images].map((picture) => picture.decode().catch(() => {})))
  return [...document.images].filter((picture) => !picture.naturalWidth).map((p) => p.src)
}

/** The page on which each article begins: its first one that begins with the article's title. */
function firstPages(pdf, titles) {
  const words = (text) => text.replace(/[\s\u200b]+/g, ' ').trim()
  const pages = execFileSync('pdftotext', ['-layout', pdf, '-'], { maxBuffer: 1 << 28 })
    .toString().split('\f').map(words)
  let from = 1
  return titles.map((title) => {
    const found = pages.findIndex((text, number) => number >= from && text.startsWith(words(title)))
    if (found < 0) throw new Error(`${pdf}: no page begins with '${title}'`)
    from = found + 1
    return found + 1
  })
}

const book = process.argv[2] && resolve(process.argv[2])
const site = siteOf(book)
const { items } = JSON.parse(readFileSync(join(book, 'sidebar.json'), 'utf-8'))[''][0]
const path = ({ link }) => link.replace(/#.*/, '').replace(/\/$/, '/index').replace(/$/, '.html')
const steps = items.filter((item, number) =>
  items.findIndex((other) => path(other) === path(item)) === number)
const paths = steps.map(path)
const names = steps.map(({ text }) => text.replace(/<span.*/, ''))
const pdf = join(book, 'book.pdf')
const server = await serve(site)
const browser = await startBrowser(book)
const tab = await (await browser.newContext({ colorScheme: 'light' })).newPage()
await tab.goto(`${server.address}/index.html`, { waitUntil: 'load' })
const missing = await tab.evaluate(compose, { paths, names, style: STYLE })
const titles = await tab.evaluate(() => [...document.querySelectorAll('article')].map((article) =>
  [...article.querySelector('h1').childNodes].filter((node) => !node.classList?.contains('header-anchor'))
    .map((node) => node.textContent).join('')))
const print = () => tab.pdf({ path: pdf, format: 'A4', displayHeaderFooter: true, outline: true,
  tagged: true, headerTemplate: '<span></span>', footerTemplate: FOOTER, preferCSSPageSize: true })
await print()
const pages = firstPages(pdf, titles)
await tab.evaluate((numbers) => document.querySelectorAll('.contents .page').forEach((some, i) => {
  some.textContent = numbers[i]
}), pages)
await print()
const again = firstPages(pdf, titles)
await browser.close()
server.close()
if (missing.length || `${again}` !== `${pages}`) {
  console.error(`error: ${pdf}: ` + (missing.length ? `the picture ${missing[0]} does not load`
    : 'the contents have moved the pages that they name'))
  process.exit(1)
}
console.log(`${pdf}: ${paths.length} steps, the last begins on page ${pages.at(-1)}`)
