import type { NewToken, TokenChange, TokenView } from '../../../shared/api/token.ts'
import { type BudgetWindow, budgetWindows, isTimeZone, USUAL_WARN_PERCENT } from '../../../shared/budgets.ts'
import { formatTime, parseTime } from '../../components/date-time.ts'
import type { TextKey } from '../../i18n.ts'

export type Draft = Readonly<{
  name: string
  /** Undefined while the input is not a valid amount. */
  quota: number | undefined
  isUnlimited: boolean
  /** In the format of `formatTime`; empty is never, `UNREADABLE` is invalid. */
  expiry: string
  /** How many to create; undefined while the input is invalid. */
  count: number | undefined
  isLimited: boolean
  models: readonly string[]
  /** One address or range per line. */
  ips: string
  group: string
  /** For this and all following limits, 0 is unlimited, and undefined is invalid input. */
  requestsPerMinute: number | undefined
  tokensPerMinute: number | undefined
  budgets: Readonly<Record<BudgetWindow, number | undefined>>
  /** An IANA name; empty is UTC. */
  timeZone: string
  warnPercent: number | undefined
  isCached: boolean
  storesBodies: boolean
}>

export type DraftProblems = Partial<Record<keyof Draft, TextKey>>

/** The defaults of docs/reference/screens.md#tokens. */
const newDraft: Draft = {
  name: '',
  quota: 500_000,
  isUnlimited: false,
  expiry: '',
  count: 1,
  isLimited: false,
  models: [],
  ips: '',
  group: '',
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  budgets: { minute: 0, five_hours: 0, day: 0, week: 0, month: 0 },
  timeZone: '',
  warnPercent: USUAL_WARN_PERCENT,
  isCached: false,
  storesBodies: false,
}
/** Maximum length of a token's name, in code points. */
const maxNameLength = 30
/** Maximum length of the name of a batch; leaves space for `-` and six characters. */
const maxBatchNameLength = 23
/** Maximum size of a batch (docs/reference/screens.md#tokens). */
export const maxTokens = 100

/**
 * The form's initial draft, from a token or for a new one in `group` without expiry, with $1 unless it is unlimited
 * (docs/reference/screens.md#tokens).
 */
export function draftOf(token: TokenView | undefined, group: string, isUnlimitedAtFirst = false): Draft {
  if (!token) return { ...newDraft, group, isUnlimited: isUnlimitedAtFirst, timeZone: ownTimeZone() }
  const { name, remain_quota: quota, unlimited_quota: isUnlimited, expired_time: end } = token
  return {
    ...newDraft,
    name,
    quota,
    isUnlimited,
    expiry: end === -1 ? '' : formatTime(end),
    isLimited: token.model_limits_enabled,
    models: token.model_limits.split(',').filter(Boolean),
    ips: token.allow_ips ?? '',
    group: token.group,
    requestsPerMinute: token.requests_per_minute,
    tokensPerMinute: token.tokens_per_minute,
    budgets: token.budgets,
    // Without a budget the zone has no effect yet, and users expect their own midnight.
    timeZone: token.budget_time_zone || (hasBudget(token.budgets) ? '' : ownTimeZone()),
    warnPercent: token.budget_warn_percent,
    isCached: token.response_cache,
    storesBodies: token.keep_bodies,
  }
}

export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isTimeZone(timeZone) ? timeZone : ''
}

const hasBudget = (budgets: Draft['budgets']): boolean => budgetWindows.some((window) => budgets[window] !== 0)

/** Number of limits set, including those being typed. */
export const limitsSet = ({ requestsPerMinute, tokensPerMinute, budgets }: Draft): number =>
  [requestsPerMinute, tokensPerMinute, ...Object.values(budgets)].filter((limit) => limit !== 0).length

/** Validates by the gateway's rules (docs/reference/accounts.md#api-tokens). */
export function problemsOf(draft: Draft): DraftProblems {
  const { name, quota, isUnlimited, expiry, count, isLimited, models } = draft
  const problems: DraftProblems = {}
  const { length } = [...name.trim()]
  if (length === 0) problems.name = 'token.nameNeeded'
  else if (length > maxNameLength) problems.name = 'token.name_len'
  else if (length > maxBatchNameLength && count !== undefined && count > 1) problems.name = 'token.nameBatch'
  if (!isUnlimited && quota === undefined) problems.quota = 'option.bad_number'
  if (expiry.trim() !== '' && parseTime(expiry) === undefined) problems.expiry = 'token.date'
  if (count === undefined || count < 1 || count > maxTokens) problems.count = 'token.countBad'
  if (isLimited && models.length === 0) problems.models = 'token.modelsNeeded'
  return { ...problems, ...limitProblemsOf(draft) }
}

function limitProblemsOf({ requestsPerMinute, tokensPerMinute, budgets, warnPercent }: Draft): DraftProblems {
  const bad = 'option.bad_number'
  return {
    ...(requestsPerMinute === undefined ? { requestsPerMinute: bad } : {}),
    ...(tokensPerMinute === undefined ? { tokensPerMinute: bad } : {}),
    ...(Object.values(budgets).includes(undefined) ? { budgets: bad } : {}),
    ...(warnPercent === undefined ? { warnPercent: bad } : {}),
  }
}

/** The form's fields; an unlimited token leaves its quota unchanged. */
type Fields = Omit<NewToken, 'remain_quota'> & Partial<Pick<NewToken, 'remain_quota'>>

export const fieldsOf = (draft: Draft): Fields => ({
  name: draft.name.trim(),
  unlimited_quota: draft.isUnlimited,
  expired_time: parseTime(draft.expiry) ?? -1,
  model_limits_enabled: draft.isLimited,
  model_limits: draft.models.join(','),
  allow_ips: draft.ips.trim() || null,
  group: draft.group,
  requests_per_minute: draft.requestsPerMinute ?? 0,
  tokens_per_minute: draft.tokensPerMinute ?? 0,
  budgets: Object.fromEntries(budgetWindows.map((window) => [window, draft.budgets[window] ?? 0])),
  budget_time_zone: draft.timeZone,
  budget_warn_percent: draft.warnPercent ?? 0,
  response_cache: draft.isCached,
  keep_bodies: draft.storesBodies,
  ...(draft.isUnlimited || draft.quota === undefined ? {} : { remain_quota: draft.quota }),
})

/**
 * The changed fields of a draft, so that concurrent changes and spending are preserved. Budgets depend on their time
 * zone, so both are sent together.
 */
export function changeOf(token: TokenView, draft: Draft, first: Draft): TokenChange {
  const before: Readonly<Record<string, unknown>> = fieldsOf(first)
  const after = Object.entries(fieldsOf(draft))
  const isChanged = (name: string, value: unknown) => JSON.stringify(before[name]) !== JSON.stringify(value)
  const changed = new Set(after.flatMap(([name, value]) => (isChanged(name, value) ? [name] : [])))
  if (changed.has('budgets')) changed.add('budget_time_zone')
  return {
    id: token.id,
    ...Object.fromEntries(after.filter(([name]) => changed.has(name))),
    remain_quota_base: token.remain_quota,
  }
}

/**
 * The names of a batch: the first as is, the others with `-` and six random characters
 * (docs/reference/screens.md#tokens).
 */
export const batchNames = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${randomText(6)}`))

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** The alphabet has 32 characters, so the modulo is unbiased. */
const randomText = (length: number): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => alphabet[byte % alphabet.length]).join('')

export type FieldsProps = Readonly<{
  draft: Draft
  problems: DraftProblems
  onChange: (change: Partial<Draft>) => void
}>
