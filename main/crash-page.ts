import type { Locale } from '../shared/messages/format.ts'
import { speak } from './language.ts'
import { escaped, plainPage } from './plain-page.ts'

/** Shown when the window's page has crashed twice within a short time: an explanation, and a link back to `address`. */
export function crashPage(address: string, locale: Locale): string {
  const translate = speak(locale)
  const text = `<h1>${escaped(translate('crash.title'))}</h1>
<p class="what">${escaped(translate('crash.what', { address }))}</p>
<p class="do"><a class="first" href="${escaped(address)}">${escaped(translate('crash.do'))}</a></p>`
  return plainPage(locale, translate('crash.title'), text)
}
