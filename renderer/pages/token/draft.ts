import type { NewToken, TokenChange, TokenView } from '../../../shared/api/token.ts'
import { formatTime, parseTime } from '../../components/moment.ts'
import type { TextKey } from '../../i18n.ts'

/** A token as it is being written. */
export type Draft = Readonly<{
  name: string
  /** Undefined while what is typed is no amount. */
  quota: number | undefined
  isUnlimited: boolean
  /** As `formatTime` writes it; empty is never. */
  expiry: string
  /** How many to make; undefined while what is typed is no number. */
  count: number | undefined
  isLimited: boolean
  models: readonly string[]
  /** One address or range a line. */
  ips: string
  group: string
}>

/** What is wrong with which field. */
export type DraftProblems = Partial<Record<keyof Draft, TextKey>>

/** The defaults of specification 3 §9. */
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
}
/** Characters, as people count them. */
const longestName = 30
/** A name in a batch leaves room for `-` and six characters. */
const longestBatchName = 23
/** As many as one batch may make (specification 3 §2). */
export const mostTokens = 100

/** Where the form starts: at a token, or at a new one with $1 and no end (specification 3 §9), in `group`. */
export function draftOf(token: TokenView | undefined, group: string): Draft {
  if (!token) return { ...newDraft, group }
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
  }
}

/** Checks as the gateway does (specification 3 §5, spec/console.md §4.2). */
export function problemsOf(draft: Draft): DraftProblems {
  const { name, quota, isUnlimited, expiry, count, isLimited, models } = draft
  const problems: DraftProblems = {}
  const { length } = [...name.trim()]
  if (length === 0) problems.name = 'token.nameNeeded'
  else if (length > longestName) problems.name = 'token.name_len'
  else if (length > longestBatchName && count !== undefined && count > 1) problems.name = 'token.nameBatch'
  if (!isUnlimited && quota === undefined) problems.quota = 'option.bad_number'
  if (expiry.trim() !== '' && parseTime(expiry) === undefined) problems.expiry = 'token.date'
  if (count === undefined || count < 1 || count > mostTokens) problems.count = 'token.countBad'
  if (isLimited && models.length === 0) problems.models = 'token.modelsNeeded'
  return problems
}

/** What the form writes of a token; an unlimited one leaves its quota as it is. */
type Fields = Omit<NewToken, 'remain_quota'> & Partial<Pick<NewToken, 'remain_quota'>>

/** The fields a draft without problems stands for. */
export const fieldsOf = (draft: Draft): Fields => ({
  name: draft.name.trim(),
  unlimited_quota: draft.isUnlimited,
  expired_time: parseTime(draft.expiry) ?? -1,
  model_limits_enabled: draft.isLimited,
  model_limits: draft.models.join(','),
  allow_ips: draft.ips.trim() || null,
  group: draft.group,
  ...(draft.isUnlimited || draft.quota === undefined ? {} : { remain_quota: draft.quota }),
})

/** The same as a change of an existing token: spending since it was loaded is not undone. */
export const changeOf = (token: TokenView, draft: Draft): TokenChange => ({
  id: token.id,
  ...fieldsOf(draft),
  remain_quota_base: token.remain_quota,
})

/** The names of a batch: the first as it is, the others with `-` and six random characters (spec/console.md §8.7). */
export const batchNames = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${randomText(6)}`))

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** The alphabet has 32 characters, so every byte falls on each of them equally often. */
const randomText = (length: number): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => alphabet[byte % alphabet.length]).join('')
