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
}>

/** What is wrong with which field. */
export type DraftProblems = Partial<Record<keyof Draft, TextKey>>

/** The defaults of specification 3 §9. */
const newDraft: Draft = { name: '', quota: 500_000, isUnlimited: false, expiry: '' }
/** Characters, as people count them. */
const longestName = 30

/** Where the form starts: at a token, or at a new one with $1 and no end (specification 3 §9). */
export function draftOf(token: TokenView | undefined): Draft {
  if (!token) return newDraft
  const { name, remain_quota: quota, unlimited_quota: isUnlimited, expired_time: end } = token
  return { name, quota, isUnlimited, expiry: end === -1 ? '' : formatTime(end) }
}

/** Checks as the gateway does (specification 3 §5, spec/console.md §4.2). */
export function problemsOf({ name, quota, isUnlimited, expiry }: Draft): DraftProblems {
  const problems: DraftProblems = {}
  const { length } = [...name.trim()]
  if (length === 0) problems.name = 'token.nameNeeded'
  else if (length > longestName) problems.name = 'token.name_len'
  if (!isUnlimited && quota === undefined) problems.quota = 'option.bad_number'
  if (expiry.trim() !== '' && parseTime(expiry) === undefined) problems.expiry = 'token.date'
  return problems
}

/** The part of a token that this form writes; the rest keeps what it was. */
type Fields = Pick<NewToken, 'name' | 'unlimited_quota' | 'expired_time'> & Partial<Pick<NewToken, 'remain_quota'>>

/** The fields a draft without problems stands for; an unlimited token leaves its quota as it is. */
export const fieldsOf = ({ name, quota, isUnlimited, expiry }: Draft): Fields => ({
  name: name.trim(),
  unlimited_quota: isUnlimited,
  expired_time: parseTime(expiry) ?? -1,
  ...(isUnlimited || quota === undefined ? {} : { remain_quota: quota }),
})

/** The same as a change of an existing token: spending since it was loaded is not undone. */
export const changeOf = (token: TokenView, draft: Draft): TokenChange => ({
  id: token.id,
  ...fieldsOf(draft),
  remain_quota_base: token.remain_quota,
})
