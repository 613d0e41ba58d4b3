import type { HostApi } from '../gateway/composition/host-api.ts'
import type { Locale } from '../shared/messages/format.ts'
import { speak, type Translate } from './language.ts'
import { escaped, plainPage } from './plain-page.ts'

/** The origin of the page's links; it does not exist, and the window handles navigation to it as a button press. */
export const LOCKED_OUT_PAGE = 'https://locked-out.invalid'

const recoveries = ['password', 'factors', 'login'] as const
const actions = [...recoveries, 'copy', 'open'] as const
export type LockedOutAction = (typeof actions)[number]

export type LockedOutResult = Readonly<{ kind: 'working' }> | Awaited<ReturnType<HostApi['letIn']>>

type LockedOutView = Readonly<{ result: LockedOutResult | undefined; command: string }>

/** The page for users who cannot log in: plain HTML without scripts. */
export function lockedOutPage({ result, command }: LockedOutView, locale: Locale): string {
  const translate = speak(locale)
  const text = `<header><h1>${escaped(translate('lockedOut.title'))}</h1></header>
${result ? resultOf(result, translate) : `<p class="what">${escaped(translate('lockedOut.what'))}</p>`}
${result?.kind === 'working' ? '' : recoveries.map((recovery) => sectionOf(recovery, translate)).join('\n')}
<h2>${escaped(translate('lockedOut.shell'))}</h2>
<pre>${escaped(`${command} reset-password <name>\n${command} reset-2fa <name>\n${command} reset-login`)}</pre>`
  return plainPage(locale, translate('lockedOut.title'), text)
}

/** The action of a link on the page; undefined for any other address. */
export function lockedOutAction(address: string): LockedOutAction | undefined {
  const url = URL.parse(address)
  if (url?.origin !== LOCKED_OUT_PAGE) return undefined
  return actions.find((action) => `/${action}` === url.pathname)
}

function sectionOf(recovery: (typeof recoveries)[number], translate: Translate): string {
  return `<h2>${escaped(translate(`lockedOut.${recovery}`))}</h2>
<p>${escaped(translate(`lockedOut.${recovery}How`))}</p>
<p class="do">${button(recovery, translate)}</p>`
}

function resultOf(result: LockedOutResult, translate: Translate): string {
  const values = 'username' in result ? { name: result.username } : {}
  const what = `<p class="what" role="status">${escaped(translate(`lockedOut.done.${result.kind}`, values))}</p>`
  if (result.kind === 'working') return what
  if (result.kind === 'failed') return `${what}<pre lang="en">${escaped(result.said)}</pre>`
  const open = button('open', translate, 'first')
  if (result.kind !== 'password') return `${what}<p class="do">${open}</p>`
  return `${what}<pre>${escaped(result.password)}</pre>
<p>${escaped(translate('lockedOut.once'))}</p>
<p class="do">${open}${button('copy', translate)}</p>`
}

const button = (action: LockedOutAction, translate: Translate, kind = 'other'): string =>
  `<a class="${kind}" href="${LOCKED_OUT_PAGE}/${action}">${escaped(translate(`lockedOut.do.${action}`))}</a>`
