import { isBackupName } from '../gateway/store/sqlite/backup-files.ts'
import { type Locale, languages, nextLocale } from '../shared/messages/locales.ts'
import { speak, type Translate } from './language.ts'
import { localTime } from './local-time.ts'
import { escaped, plainPage } from './plain-page.ts'
import { type ButtonRemedy, type Diagnosis, type Part, parts, type Remedy } from './startup-diagnosis.ts'

/** The origin of the page's links; it does not exist, and the window handles navigation to it as a button press. */
export const STARTUP_PAGE = 'https://startup.invalid'

/** The startup page: plain HTML without scripts, in one language, with a link to the next one. */
export function startupPage(found: Diagnosis, locale: Locale): string {
  const translate = speak(locale)
  const { what, how, values, message, remedies } = found
  const steps = how.map((key) => `<li>${escaped(translate(key, values))}</li>`).join('')
  const [first, ...rest] = remedies.map((remedy) => ({ remedy, text: translate(`startup.do.${remedy}`, values) }))
  const text = `<header>
<h1>${escaped(translate('startup.title'))}</h1>
${button({ remedy: 'language', text: languages[nextLocale(locale)].name })}
</header>
<p class="what">${escaped(translate(what, values))}</p>
<h2>${escaped(translate('startup.fix'))}</h2>
<ol>${steps}</ol>
${backups(found, translate)}
<p class="do">${first ? button(first, 'first') : ''}${rest.map((other) => button(other)).join('')}</p>
<h2>${escaped(translate('startup.checks'))}</h2>
<dl>${parts.map((part) => row(part, found.part, translate)).join('')}</dl>
<h2>${escaped(translate('startup.details'))}</h2>
<pre lang="en">${escaped(message)}</pre>`
  return plainPage(locale, translate('startup.title'), text)
}

/** The remedy of a link on the page; undefined for any other address. */
export function remedyIn(address: string): Remedy | undefined {
  const url = URL.parse(address)
  if (url?.origin !== STARTUP_PAGE) return undefined
  const chosen = /^\/restore\/([\w.-]+)$/.exec(url.pathname)?.[1]
  if (chosen !== undefined) return isBackupName(chosen) ? `restore:${chosen}` : undefined
  return all.find((remedy) => `/${remedy}` === url.pathname)
}

const all: readonly ButtonRemedy[] = [
  'retry',
  'useBackup',
  'port',
  'keyFile',
  'newKey',
  'useNewKey',
  'folder',
  'language',
  'quit',
]

const button = ({ remedy, text }: { remedy: ButtonRemedy; text: string }, kind = 'other'): string =>
  `<a class="${kind}" href="${STARTUP_PAGE}/${remedy}">${escaped(text)}</a>`

/** Its accessible name includes the backup's time, because there is one such button for each backup. */
const restoreButton = (name: string, at: string, translate: Translate): string =>
  `<a href="${STARTUP_PAGE}/restore/${encodeURIComponent(name)}" aria-label="${escaped(translate('startup.do.restoreOf', { at }))}">${escaped(translate('startup.do.restore'))}</a>`

/** Parts before the failed one are fine; those after it were not reached. */
function row(part: Part, failed: Part, translate: Translate): string {
  const distance = parts.indexOf(part) - parts.indexOf(failed)
  const late = distance > 0 ? 'unseen' : 'wrong'
  const state = distance < 0 ? 'fine' : late
  return `<div><dt>${escaped(translate(`startup.part.${part}`))}</dt><dd class="${state}">${escaped(translate(`startup.state.${state}`))}</dd></div>`
}

function backups({ backups: found }: Diagnosis, translate: Translate): string {
  if (!found) return ''
  const title = `<h2>${escaped(translate('startup.backups'))}</h2>`
  if (found.length === 0) return `${title}<p>${escaped(translate('startup.noBackups'))}</p>`
  const rows = found.map(
    ({ name, bytes, at, isVerified }) =>
      `<tr><td><code>${escaped(name)}</code></td><td>${localTime(at)}</td><td class="number">${(bytes / 1e6).toFixed(1)} MB</td><td>${isVerified ? restoreButton(name, localTime(at), translate) : ''}</td></tr>`,
  )
  return `${title}<table>${rows.join('')}</table>`
}
