import type { Locale } from '../../shared/messages/format.ts'
import { speak, type TextKey, type Translate } from '../language.ts'
import { localTime } from '../local-time.ts'
import { escaped, plainPage } from '../plain-page.ts'
import type { InstalledAs } from './installed-as.ts'
import type { Rollback } from './rollback.ts'
import type { FoundUpdate } from './updater.ts'
import type { UpdateState, UpdateStep } from './updates.ts'

/** The origin of the page's links; it does not exist, and the window handles navigation to it as a button press. */
export const UPDATE_PAGE = 'https://update.invalid'

const actions = ['check', 'download', 'cancel', 'install', 'page', 'close', 'daily', 'notDaily'] as const
export type UpdateAction = (typeof actions)[number]

export type UpdateView = Readonly<{
  version: string
  state: UpdateState
  isDaily: boolean
  rollback: Rollback | undefined
  /** How an older version would be installed manually: like this one. */
  installedAs: InstalledAs
  installer: string
  hasPage: boolean
}>

/** The page of updates: plain HTML without scripts; feed content is shown as text. */
export function updatePage(view: UpdateView, locale: Locale): string {
  const translate = speak(locale)
  const { version, state } = view
  const buttons = buttonsOf(view)
    .map((action, index) => button(action, translate, index === 0 ? 'first' : 'other'))
    .join('')
  const text = `<header><h1>${escaped(translate('update.title'))}</h1></header>
<p class="what" role="status">${escaped(headline(state, version, translate))}</p>
${detail(state, translate)}
<p class="do">${buttons}</p>
${whatIsNew(state, translate)}
${scheduleSection(view, translate)}
${rollback(view, translate)}`
  return plainPage(locale, translate('update.title'), text)
}

/** The action of a link on the page; undefined for any other address. */
export function actionIn(address: string): UpdateAction | undefined {
  const url = URL.parse(address)
  if (url?.origin !== UPDATE_PAGE) return undefined
  return actions.find((action) => `/${action}` === url.pathname)
}

function headline(state: UpdateState, version: string, translate: Translate): string {
  if (state.kind === 'failed') return translate(`update.failed.${state.step}`)
  if (state.kind === 'unavailable') return translate(`update.no.${state.why}`)
  const next = 'update' in state ? state.update.version : ''
  const percent = state.kind === 'downloading' ? state.percent : 0
  return translate(`update.${state.kind}`, { version, next, percent })
}

function detail(state: UpdateState, translate: Translate): string {
  if (state.kind === 'ready') return `<p>${escaped(translate('update.readyHow'))}</p>`
  return state.kind === 'failed' ? `<pre lang="en">${escaped(state.message)}</pre>` : ''
}

/** Actions that retry a failed step, shown before those that start over. */
const retryActions = { check: [], download: ['download'], backUp: ['install'] } as const satisfies Record<
  UpdateStep,
  UpdateAction[]
>

/** The page's buttons; the first one is the default. */
function buttonsOf({ state, hasPage }: UpdateView): UpdateAction[] {
  const page: UpdateAction[] = hasPage ? ['page'] : []
  if (state.kind === 'found') return ['download', 'close', ...page]
  if (state.kind === 'downloading') return ['close', 'cancel']
  if (state.kind === 'ready') return ['install', 'close', ...page]
  if (state.kind === 'unavailable') return [...page, 'close']
  if (state.kind === 'failed') return [...retryActions[state.step], 'check', 'close', ...page]
  if (state.kind === 'idle' || state.kind === 'newest') return ['check', 'close', ...page]
  return ['close']
}

function whatIsNew(state: UpdateState, translate: Translate): string {
  if (!('update' in state) || !state.update) return ''
  const { version: next, notes, releasedAt: date }: FoundUpdate = state.update
  const title = escaped(translate('update.notes', { next, date: date || '–' }))
  const text =
    notes === '' ? `<p>${escaped(translate('update.noNotes'))}</p>` : `<pre class="notes">${escaped(notes)}</pre>`
  return `<h2>${title}</h2>${text}`
}

/** The section with the daily check; omitted if updates are not possible. */
function scheduleSection({ state, isDaily }: UpdateView, translate: Translate): string {
  if (state.kind === 'unavailable') return ''
  return `<h2>${escaped(translate('update.when'))}</h2>
<p>${escaped(translate(isDaily ? 'update.daily' : 'update.notDaily'))}</p>
<p class="do">${button(isDaily ? 'notDaily' : 'daily', translate)}</p>`
}

function rollback({ rollback: previous, installedAs, installer: file }: UpdateView, translate: Translate): string {
  if (!previous) return ''
  const values = {
    ...previous,
    backup: previous.backup ?? '',
    file,
    at: localTime(new Date(previous.atSeconds * 1000)),
  }
  const steps: TextKey[] = [
    'update.back.get',
    `update.back.${installedAs}`,
    previous.backup ? 'update.back.restore' : 'update.back.restoreAny',
  ]
  const rows = steps.map((key) => `<li>${escaped(translate(key, values))}</li>`).join('')
  const title = escaped(translate('update.back', values))
  return `<h2>${title}</h2>
<p>${escaped(translate('update.back.what', values))}</p>
<ol>${rows}</ol>
<p>${escaped(translate('update.back.lost'))}</p>`
}

const button = (action: UpdateAction, translate: Translate, kind = 'other'): string =>
  `<a class="${kind}" href="${UPDATE_PAGE}/${action}">${escaped(translate(`update.do.${action}`))}</a>`
