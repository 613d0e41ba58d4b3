import type { Locale } from '../shared/messages/format.ts'
import { speak } from './language.ts'
import { escaped, pageStyle } from './plain-page.ts'

/** What stands in the window when its page has ended twice within a short time: what happened, and the way back to `address`. */
export function crashPage(address: string, locale: Locale): string {
  const say = speak(locale)
  return `<!doctype html>
<html lang="${locale === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(say('crash.title'))}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escaped(say('crash.title'))}</h1>
<p class="what">${escaped(say('crash.what', { address }))}</p>
<p class="do"><a class="first" href="${escaped(address)}">${escaped(say('crash.do'))}</a></p>
</main>
</body>
</html>`
}
