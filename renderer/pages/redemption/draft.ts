import {
  MAX_CODES,
  type NewRedemptions,
  type RedemptionChange,
  type RedemptionView,
} from '../../../shared/api/redemption.ts'
import { formatTime, parseTime, UNREADABLE } from '../../components/date-time.ts'
import type { TextKey } from '../../i18n.ts'

export type Draft = Readonly<{
  name: string
  /** Undefined while the input is not a valid amount. */
  quota: number | undefined
  /** How many to create; undefined while the input is invalid. */
  count: number | undefined
  /** In the format of `formatTime`; empty is never. */
  expiry: string
}>

export type DraftProblems = Partial<Record<keyof Draft, TextKey>>

/** Maximum length of a code's name, in code points. */
const maxNameLength = 20

export const draftOf = (code: RedemptionView | undefined): Draft =>
  code
    ? {
        name: code.name,
        quota: code.quota,
        count: 1,
        expiry: code.expired_time === 0 ? '' : formatTime(code.expired_time),
      }
    : { name: '', quota: 100_000, count: 1, expiry: '' }

/**
 * Validates by the gateway's rules. A new code has no `before`, and without a name is named after its quota. An
 * unchanged name may be too long, and an unchanged expiry may be in the past.
 */
export function problemsOf({ name, quota, count, expiry }: Draft, before: Draft | undefined): DraftProblems {
  const { length } = [...name.trim()]
  const end = parseTime(expiry)
  const problems: DraftProblems = {}
  if ((length > maxNameLength && name !== before?.name) || (length === 0 && before)) problems.name = 'redeem.name_len'
  if (quota === undefined || quota < 1) problems.quota = 'redemption.quotaBad'
  if (count === undefined || count < 1) problems.count = 'redeem.count_min'
  else if (count > MAX_CODES) problems.count = 'redeem.count_max'
  if (expiry === UNREADABLE || (expiry !== '' && end === undefined)) problems.expiry = 'token.date'
  else if (end !== undefined && expiry !== before?.expiry && end * 1000 < Date.now())
    problems.expiry = 'redeem.expiry_past'
  return problems
}

/** The request of a valid draft; `shown` is its formatted quota. */
export const newCodesOf = ({ name, quota = 0, count = 1, expiry }: Draft, shown: string): NewRedemptions => ({
  name: name.trim() || shown,
  quota,
  count,
  expired_time: parseTime(expiry) ?? 0,
})

export const changeOf = (id: number, draft: Draft, first: Draft): RedemptionChange => ({
  id,
  ...(draft.name.trim() !== first.name ? { name: draft.name.trim() } : {}),
  ...(draft.quota !== undefined && draft.quota !== first.quota ? { quota: draft.quota } : {}),
  ...(draft.expiry !== first.expiry ? { expired_time: parseTime(draft.expiry) ?? 0 } : {}),
})
