/**
 * Runs before the first paint. A file of its own because the content security policy allows no inline script.
 *
 * No page shows the wrong theme; theme.ts keeps it right from then on.
 */
const wished = localStorage.getItem('theme-mode')
const isDark = wished === 'dark' || (wished !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('bp6-dark', isDark)
document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'

const stored = localStorage.getItem('user')
const isChinese = /^zh/i.test(localStorage.getItem('i18nextLng') ?? navigator.language)
/**
 * What every page begins with, and the first rows of a list, is asked for before all code: renderer/api/early.ts hands each answer
 * to whoever asks the same. tests/e2e/console-early.spec.ts finds an address that no page asks.
 */
const size = localStorage.getItem('page-size') ?? '10'
const lists = {
  '/token': () => `/api/token?p=0&size=${size}`,
  '/log': ({ role }) => {
    const since = `start_timestamp=${new Date().setHours(0, 0, 0, 0) / 1000}`
    const names = 'token_name=&token_contains=&model_name=&model_contains=&group=&group_contains='
    const all = role >= 10 ? '&username=&username_contains=&channel=0' : ''
    return `/api/log${role >= 10 ? '' : '/self'}?type=0&${names}&${since}${all}&p=1&page_size=${size}`
  },
  '/channel': () => {
    const [byId, byTag] = ['id-sort', 'enable-tag-mode'].map((key) => localStorage.getItem(key) === 'true')
    return `/api/channel?p=0&page_size=${size}&id_sort=${byId}&tag_mode=${byTag}&type=-1&status=0`
  },
  '/user': () => `/api/user?p=1&page_size=${size}`,
}
const user = stored === null ? { id: -1 } : JSON.parse(stored)
const rows = stored !== null && location.search === '' ? lists[location.pathname]?.(user) : undefined
const headers = { 'New-Api-User': String(user.id), 'Accept-Language': isChinese ? 'zh' : 'en' }
globalThis.early = Object.fromEntries(
  ['/api/status', ...(rows ? [rows] : [])].map((address) => [
    address,
    fetch(address, { headers, cache: 'no-store' }).catch(() => undefined),
  ]),
)

/**
 * What the page of this address takes is asked for together with the frame, not once that runs. The list is written by the build
 * (vite.early.ts); without one, and for whoever is not signed in, all comes in its turn.
 */
const askFor = ({ files, pages }) => {
  const path = Object.keys(pages).find((one) => location.pathname === one || location.pathname.startsWith(`${one}/`))
  const isForGuests = ['/login', '/register', '/reset'].includes(path)
  if (path === undefined || (stored !== null) === isForGuests) return
  const [code, en, zh] = pages[path]
  for (const place of [...(isChinese ? zh : en), ...code]) {
    const isStyle = files[place].endsWith('.css')
    const link = {
      rel: isStyle ? 'preload' : 'modulepreload',
      as: isStyle ? 'style' : 'script',
      href: `/${files[place]}`,
    }
    document.head.append(Object.assign(document.createElement('link'), { ...link, crossOrigin: '' }))
  }
}
const list = document.querySelector('meta[name=pages]')?.content
if (list && location.pathname !== '/')
  fetch(list, { priority: 'high' })
    .then((answer) => answer.json())
    .then(askFor)
    .catch(() => {})
