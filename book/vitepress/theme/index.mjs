import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts' // the reader's own fonts: 300 KB less
import Where from './Where.vue'
import './book.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(Where) }),
}
