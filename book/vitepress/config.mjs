// The site's configuration. book/lay.py has laid the pages out in src/ and the side bar in
// sidebar.json, beside the folder of this file.
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { cuda } from './cuda.mjs'

const base = process.env.BOOK_BASE ?? '/'
const sidebar = JSON.parse(readFileSync(new URL('../sidebar.json', import.meta.url), 'utf-8'))

// The name by which GitHub's links reach a heading.
const slugify = (heading) =>
  heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')

// Splits a text into words, Chinese too, which has no blanks between them. It also runs in the
// reader's browser; one that has no Intl.Segmenter finds single Chinese characters.
const tokenize = (text) =>
  typeof Intl.Segmenter === 'function'
    ? Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(text))
        .filter((part) => part.isWordLike).map((part) => part.segment.toLowerCase())
    : text.toLowerCase().match(/[\p{Script=Han}]|[^\p{Script=Han}\s\p{P}]+/gu) ?? []

// The colours of the theme, and the class that book.css gives this colour on a light page and its
// counterpart on a dark one. A style in each word, for both, makes the pages three times as long.
const CLASSES = {
  '#66707b': 'comment', '#a0111f': 'keyword', '#023b95': 'constant', '#702c00': 'name',
  '#622cbc': 'function', '#024c1a': 'inserted', '#032563': 'string', '#6e011a': 'deleted',
}
const ORDINARY = '#0e1116'

const classes = {
  name: 'book:classes',
  span(node) {
    if (!node.properties.style) return
    const [colour, ...others] = node.properties.style.split(';')
    const hex = colour.replace('color:', '').toLowerCase()
    if (hex !== ORDINARY) {
      if (!CLASSES[hex]) throw new Error(`config.mjs: no class for the theme's colour ${hex}`)
      node.properties.class = `t-${CLASSES[hex]}`
    }
    delete node.properties.style
    if (others.length) node.properties.style = others.join(';')
  },
  // A source page's lines can be linked to, as #L12. Words of the ordinary colour need no element.
  line(node, number) {
    if (this.options.meta?.__raw?.trim() === 'source') node.properties.id = `L${number}`
    const children = []
    for (const child of node.children) {
      const isPlain = child.tagName === 'span' && !Object.keys(child.properties).length
      for (const one of isPlain ? child.children : [child]) {
        const last = children.at(-1)
        if (one.type === 'text' && last?.type === 'text') last.value += one.value
        else children.push(one)
      }
    }
    node.children = children
  },
}

// What may be wider than the page scrolls by itself, and the keyboard reaches it. An option, such
// as --table, stays on one line.
const scrolling = (markdown) => {
  const { rules } = markdown.renderer
  const { escapeHtml } = markdown.utils
  rules.code_block = (tokens, index) => '<pre class="plain" tabindex="0" v-pre><code>' +
    `${escapeHtml(tokens[index].content)}</code></pre>\n`
  const { code_inline: code } = rules
  rules.code_inline = (...all) => code(...all)
    .replace(/([>\s])(--?\w[\w-]*)/g, '$1<span class="option">$2</span>')
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
}

// Of a page, what the search looks at. A source page has no entry, or each word of a lesson would
// be found in some thirty files first; code is left out, which saves a second highlighting.
const searched = (text, env, markdown) =>
  env.frontmatter?.search === false || /^search: false$/m.test(text.slice(0, 200))
    ? ''
    : markdown.render(text.replace(/^( *)```[^\n]*\n.*?^ *``` *$/gms, ''), env)

export default defineConfig({
  base,
  lang: 'en',
  title: 'CUDA atomics by example',
  description: 'How the threads of a GPU share data: atomic functions, locks, and the order of ' +
    'memory accesses. Every example runs without a GPU.',
  srcDir: 'src',
  outDir: 'site',
  cacheDir: 'cache',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:image/svg+xml,<svg viewBox="0 0 16 16" ' +
    'xmlns="http://www.w3.org/2000/svg"><rect width="16" height="16" rx="3" fill="%230b5cad"/>' +
    '<path stroke="white" stroke-width="2" d="M3 8h10M8 3v10"/></svg>' }]],
  router: { prefetchLinks: false }, // a page is read for half an hour: nothing is gained
  ignoreDeadLinks: true, // book/links.py looks at all links of the built pages, and says where
  markdown: {
    theme: 'github-light-high-contrast',
    languages: [cuda],
    anchor: { slugify },
    codeTransformers: [classes],
    toc: { slugify },
    config: scrolling,
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: sidebar[''] } },
    ...(sidebar.zh && { zh: {
      label: sidebar.words.language, lang: 'zh-CN', title: sidebar.words.title,
      description: sidebar.words.description,
      themeConfig: {
        sidebar: sidebar.zh,
        outline: { label: sidebar.words.outline, level: [2, 3] },
        docFooter: { prev: sidebar.words.previous, next: sidebar.words.next },
        darkModeSwitchLabel: sidebar.words.appearance, sidebarMenuLabel: sidebar.words.menu,
        lightModeSwitchTitle: sidebar.words.light, darkModeSwitchTitle: sidebar.words.dark,
        skipToContentLabel: sidebar.words.skip, notFound: sidebar.words['not found'],
        returnToTopLabel: sidebar.words.top, langMenuLabel: sidebar.words.languages,
      },
    } }),
  },
  themeConfig: {
    i18nRouting: false, // not every page has a translation; one that has links to it
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: searched,
        miniSearch: { options: { tokenize } },
        locales: sidebar.zh && { zh: { translations: sidebar.words.search } },
      },
    },
  },
})
