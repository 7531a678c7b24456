import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts' // the reader's own fonts: 300 KB less
import Where from './Where.vue'
import './book.css'

// A finger cannot point, and covers more than a point of a chart: a tap writes what pointing at the
// nearest point would show, and rings that point.
const REACH = 22 // pixels from the point: half of what a finger covers
const tellPoint = ({ target, clientX, clientY }) => {
  const chart = target.closest?.('.chart')
  if (!chart) return
  const distance = (point) => {
    const { left, top, width, height } = point.getBoundingClientRect()
    return Math.hypot(clientX - left - width / 2, clientY - top - height / 2)
  }
  const points = [...chart.querySelectorAll('circle:has(title)')]
    .map((point) => ({ point, away: distance(point) })).sort((a, b) => a.away - b.away)
  if (!(points[0]?.away <= REACH)) return
  chart.querySelector('.told')?.classList.remove('told')
  points[0].point.classList.add('told')
  const line = chart.querySelector('output') ?? chart.appendChild(document.createElement('output'))
  line.textContent = points[0].point.querySelector('title').textContent
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
