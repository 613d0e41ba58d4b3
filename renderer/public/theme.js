/**
 * Runs before the first paint, so that no page shows the wrong theme; renderer/theme.ts updates it from then on. A
 * separate file, because the content security policy allows no inline scripts.
 */
const chosen = localStorage.getItem('theme-mode')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('bp6-dark', isDark)
document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
