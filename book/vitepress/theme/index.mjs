import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts' // the reader's own fonts: 300 KB less
import Where from './Where.vue'
import './book.css'

// A finger cannot point: a tap on a point of a chart writes below it what pointing would show.
const tellPoint = ({ target }) => {
  const words = target.closest?.('.chart circle')?.querySelector('title')?.textContent
  if (!words) return
  const chart = target.closest('.chart')
  const line = chart.querySelector('output') ?? chart.appendChild(document.createElement('output'))
  line.textContent = words
}

// Paper is white: a dark page is printed as a light one.
const printLight = () => {
  const { classList } = document.documentElement
  if (!classList.contains('dark')) return
  classList.remove('dark')
  window.addEventListener('afterprint', () => classList.add('dark'), { once: true })
}

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (import.meta.env.SSR) return
    document.addEventListener('click', tellPoint)
    window.addEventListener('beforeprint', printLight)
  },
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(Where) }),
}
