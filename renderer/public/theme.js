/**
 * Runs before the first paint, so that no page shows the wrong theme; renderer/theme.ts keeps it right from then on. A file of
 * its own because the content security policy allows no inline script.
 */
const chosen = localStorage.getItem('theme-mode')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('bp6-dark', isDark)
document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
