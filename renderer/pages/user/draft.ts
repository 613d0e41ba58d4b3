import { MAX_DISPLAY_NAME } from '../../../shared/api/user.ts'
import { MAX_REMARK, type ManagedUser, type NewUserFields, type UserChange } from '../../../shared/api/user-admin.ts'
import { flawOfUsername } from '../../../shared/username.ts'
import type { TextKey } from '../../i18n.ts'

/** An account being edited; an empty password is not changed. */
export type Draft = Readonly<{
  username: string
  displayName: string
  password: string
  group: string
  remark: string
  /** Undefined while the input is not a valid amount. */
  quota: number | undefined
}>

/** A problem of a field; `max` is for texts that are too long. Without a key, it is explained at another field. */
export type Problem = Readonly<{ key?: TextKey; max?: number }>
export type DraftProblems = Partial<Record<keyof Draft, Problem>>

export type NewDraft = Pick<Draft, 'username' | 'displayName' | 'password'> & Readonly<{ role: number }>

/** Bounds of a password's length in code points, as in gateway/accounts/account-fields.ts. */
const PASSWORD = { min: 8, max: 128 }

export const draftOf = ({ username, display_name: displayName, group, remark, quota }: ManagedUser): Draft => ({
  username,
  displayName,
  password: '',
  group,
  remark,
  quota,
})

/** Problems of a new account, by the gateway's rules. */
export function newProblemsOf({ username, displayName, password }: NewDraft): DraftProblems {
  const isNameless = username.trim().length === 0
  const isOpen = password.length === 0
  // One message covers both fields.
  const problem: Problem = { key: 'user.empty_add' }
  if (isNameless) return { username: problem, ...(isOpen ? { password: {} } : {}) }
  return isOpen ? { password: problem } : textProblemsOf({ username, displayName, password, remark: '' })
}

/** Problems of a changed account; untouched fields are not checked, because they may have been imported. */
export function problemsOf(draft: Draft, first: Draft): DraftProblems {
  const found = { ...textProblemsOf(draft), ...quotaProblemOf(draft) }
  const isTouched = (field: keyof Draft) => draft[field] !== first[field]
  return Object.fromEntries(Object.entries(found).filter(([field]) => isTouched(field as keyof Draft))) // names of a draft
}

type Texts = Pick<Draft, 'username' | 'displayName' | 'password' | 'remark'>

function textProblemsOf({ username, displayName, password, remark }: Texts): DraftProblems {
  const problems: DraftProblems = {}
  const name = username.trim()
  const wrong = name === '' ? 'user.nameNeeded' : flawOfUsername(name)
  if (wrong) problems.username = { key: wrong }
  const { length } = [...password]
  if (length > 0 && length < PASSWORD.min) problems.password = { key: 'setup.pw_len' }
  else if (length > PASSWORD.max) problems.password = { key: 'setup.pw_long' }
  if ([...displayName].length > MAX_DISPLAY_NAME)
    problems.displayName = { key: 'user.displayNameLong', max: MAX_DISPLAY_NAME }
  if ([...remark].length > MAX_REMARK) problems.remark = { key: 'user.remarkLong', max: MAX_REMARK }
  return problems
}

const quotaProblemOf = ({ quota }: Draft): DraftProblems =>
  quota === undefined ? { quota: { key: 'option.bad_number' } } : {}

export const newFieldsOf = ({ username, displayName, password, role }: NewDraft): NewUserFields => ({
  username: username.trim(),
  display_name: displayName.trim(),
  password,
  role,
})

/** The changed fields of a draft; the balance as a difference, so that concurrent spending is preserved. */
export function changeOf(id: number, draft: Draft, first: Draft): UserChange {
  const { quota } = draft
  const isMoved = quota !== undefined && quota !== first.quota
  return {
    id,
    ...(draft.username.trim() !== first.username ? { username: draft.username.trim() } : {}),
    ...(draft.displayName.trim() !== first.displayName ? { display_name: draft.displayName.trim() } : {}),
    ...(draft.password !== '' ? { password: draft.password } : {}),
    ...(draft.group !== first.group ? { group: draft.group } : {}),
    ...(draft.remark.trim() !== first.remark ? { remark: draft.remark.trim() } : {}),
    ...(isMoved ? { quota, quota_base: first.quota ?? 0 } : {}),
  }
}
