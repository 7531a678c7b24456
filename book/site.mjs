// What the scripts that look at the built site share: its pages, a server for them, a browser.
import { createServer } from 'node:http'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join, relative } from 'node:path'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json' }

/** All pages below a folder, as paths that begin with /, sorted. */
export function pagesOf(site) {
  return readdirSync(site, { recursive: true })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .map((name) => '/' + relative('.', name)).sort()
}

/** Serves a folder; gives the address, and close(). */
export async function serve(site) {
  const server = createServer((request, response) => {
    let path = join(site, decodeURIComponent(new URL(request.url, 'http://x').pathname))
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, 'index.html')
    if (!existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' })
    response.end(readFileSync(path))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** Chromium: that of the environment's CHROMIUM, else Debian's. `book` holds node_modules/. */
export async function startBrowser(book) {
  const { chromium } = createRequire(join(book, 'package.json'))('playwright-core')
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'] })
}

/** Ends the script with one sentence where its folder is not that of a built site. */
export function siteOf(book) {
  const site = join(book ?? '', 'site')
  if (!book || !existsSync(join(site, 'index.html'))) {
    console.error(`error: ${site}: expected the folder of a built site; scripts/book builds it`)
    process.exit(1)
  }
  return site
}
