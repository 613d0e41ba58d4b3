import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { MASK } from '../../../../shared/secret-mask.ts'
import type { TextKey } from '../../../i18n.ts'
import { type Draft, settingOf } from './draft.ts'
import { fits, type JsonRule, objectIn } from './json-rules.ts'

export type DraftProblems = Partial<Record<keyof Draft, TextKey>>

/**
 * Validates by the gateway's rules (docs/reference/screens.md#channel-editor, docs/reference/channels.md#fields); a
 * stored channel needs its key again only if its origin changes, or if its proxy changes to one that could read the
 * key.
 */
export function problemsOf(draft: Draft, stored: Draft | undefined): DraftProblems {
  const found: (readonly [keyof Draft, TextKey | undefined])[] = [
    ['name', draft.name.trim() === '' ? 'channel.nameNeeded' : undefined],
    ['key', keyProblem(draft, stored)],
    ['baseUrl', addressProblem(draft)],
    ['paramOverride', stored && overrideProblem(draft, stored)],
    ['other', otherProblem(draft)],
    ['models', draft.models.length === 0 ? 'channel.models' : undefined],
    ['groups', draft.groups.length === 0 ? 'channel.groupNeeded' : undefined],
    ['proxy', isProxy(draft.proxy.trim()) ? undefined : 'channel.proxyBad'],
    ...Object.keys(jsonProblems).map((rule) => jsonProblem(draft, rule as JsonRule)), // the keys of a literal below
    ...(['priority', 'weight', 'maxInputTokens'] as const).map((field) => numberProblem(draft, field)),
  ]
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined))
}

const jsonProblems = {
  modelMapping: 'channel.mapping',
  statusMapping: 'channel.statusMappingBad',
  paramOverride: 'channel.overrideBad',
  setting: 'channel.settingBad',
} as const satisfies Record<JsonRule, TextKey>

export const jsonComplaint = (rule: JsonRule): TextKey => jsonProblems[rule]

const jsonProblem = (draft: Draft, rule: JsonRule): readonly [keyof Draft, TextKey | undefined] => [
  rule,
  fits(rule, draft[rule]) ? undefined : jsonProblems[rule],
]

/** Whole numbers; all but the priority must be at least 0. */
function numberProblem(
  draft: Draft,
  field: 'priority' | 'weight' | 'maxInputTokens',
): readonly [keyof Draft, TextKey | undefined] {
  const number = Number(draft[field])
  const isRight = draft[field].trim() !== '' && Number.isInteger(number) && Math.abs(number) <= 1_000_000_000
  return [field, isRight && (number >= 0 || field === 'priority') ? undefined : 'option.bad_number']
}

function keyProblem(draft: Draft, stored: Draft | undefined): TextKey | undefined {
  if (draft.key.trim() !== '') return undefined
  if (!stored) return 'channel.need_key'
  if (isMoved(draft, stored)) return 'channel.key_again'
  return isExposed(draft, stored) ? 'channel.proxy_key_again' : undefined
}

/** Masked secrets stay valid under the same conditions as the key. */
function overrideProblem(draft: Draft, stored: Draft): TextKey | undefined {
  if (!draft.paramOverride.includes(MASK)) return undefined
  if (isMoved(draft, stored)) return 'channel.overrideAgain'
  return isExposed(draft, stored) ? 'channel.overrideOverheard' : undefined
}

function addressProblem({ type, baseUrl }: Draft): TextKey | undefined {
  const row = channelTypeById(type)
  if (baseUrl.trim() === '') return row?.baseUrlRequired && row.baseUrl === '' ? 'channel.addressNeeded' : undefined
  return channelAddress({ type, base_url: baseUrl }).flaw === 'invalid' ? 'channel.addressInvalid' : undefined
}

/** The account, bot or region is part of the URL, so it is required; a map of regions also needs a default. */
function otherProblem({ type, other }: Draft): TextKey | undefined {
  const meaning = channelTypeById(type)?.other
  const isEmpty = other.trim() === ''
  if (meaning === 'account-id' || meaning === 'bot-id') return isEmpty ? 'channel.otherNeeded' : undefined
  if (meaning !== 'region') return undefined
  if (isEmpty) return 'channel.region'
  const regions = objectIn(other)
  return regions && typeof regions.default !== 'string' ? 'channel.region_default' : undefined
}

const isProxy = (text: string): boolean => text === '' || /^(https?|socks5h?):\/\/[^\s/]+/i.test(text)

/** Whether calls would go to another scheme, host or port; without an address, the type's default applies. */
const isMoved = (draft: Draft, stored: Draft): boolean => originOf(draft) !== originOf(stored)

/** Whether a new proxy could read the calls, because the address is not encrypted. */
function isExposed(draft: Draft, stored: Draft): boolean {
  const listener = listenerOf(draft)
  return listener !== undefined && listener !== listenerOf(stored)
}

const addressOf = ({ type, baseUrl }: Draft): string => baseUrl.trim() || channelTypeById(type)?.baseUrl || ''

const originOf = (draft: Draft): string => URL.parse(addressOf(draft))?.origin ?? `type ${draft.type}`

function listenerOf(draft: Draft): string | undefined {
  const proxy = objectIn(settingOf(draft))?.proxy
  if (typeof proxy !== 'string' || proxy.trim() === '' || !/^http:/i.test(addressOf(draft))) return undefined
  return URL.parse(proxy.trim())?.host ?? proxy.trim()
}
