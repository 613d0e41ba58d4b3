import { MAX_QUOTA, MIN_QUOTA } from '../../shared/api/fields.ts'
import type { ImportChoices } from '../../shared/api/import.ts'
import { role, userStatus } from '../../shared/enums.ts'
import { sha256 } from '../base/ids.ts'
import { isObject, parsed } from '../base/json/json.ts'
import { isBcrypt } from '../base/secrets/passwords.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { amountOf, hasLarge, nameOf, textOf, wholeOf } from './cells.ts'
import { type Known, type UniqueColumn, uniqueText } from './known.ts'
import { userMarkOf } from './marks.ts'
import type { ImportTally, PlannedUser } from './plan.ts'
import { isDeletedUser, type Recognition } from './recognition.ts'
import type { Remarks } from './remarks.ts'

export const userColumns = [
  'id',
  'username',
  'password',
  'display_name',
  'role',
  'status',
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'access_token',
  'quota',
  'used_quota',
  'request_count',
  'group',
  'aff_code',
  'aff_count',
  'aff_quota',
  'aff_history',
  'inviter_id',
  'setting',
  'remark',
  'deleted_at',
] as const

type UserReading = Readonly<{
  recognition: Recognition
  choices: ImportChoices
  known: Known
  importer: number
  now: number
  remarks: Remarks
  tally: ImportTally
  users: PlannedUser[]
  /** Marks of rows in this file, to detect duplicates. */
  seen: Set<string>
  /** Maps ids in the file to ids here, for accounts that already exist. */
  mine: Map<number, number>
}>

/** Adds a user to the plan, or counts why they are not imported. */
export function takeUser(row: ForeignRow, reading: UserReading) {
  const { recognition, choices, known, importer, remarks, tally, users, seen, mine } = reading
  const theirId = wholeOf(row, 'id')
  const name = nameOf(row, 'username', 100)
  const leaveOut = (
    key: 'import.name_empty' | 'import.name_taken' | 'import.large' | 'import.id_twice' | 'import.user_unrecognized',
  ) => {
    tally.left_out += 1
    remarks.add({ table: 'users', row: name || `#${theirId}`, outcome: 'left_out', key })
  }
  if (isDeletedUser(row)) {
    tally.deleted += 1
    return
  }
  const mark = userMarkOf(recognition.source, theirId)
  const ownId = known.marks.get(mark)?.ownId ?? 0
  if (ownId > 0 && recognition.isRecognized(theirId)) {
    tally.known += 1
    if (known.users.has(ownId)) mine.set(theirId, ownId)
    return
  }
  if (wholeOf(row, 'role') >= role.root && choices.root === 'mine') {
    tally.known += 1
    mine.set(theirId, importer)
    remarks.add({ table: 'users', row: name, outcome: 'changed', key: 'import.root_mine' })
    return
  }
  if (ownId > 0 || recognition.isDoubtful(theirId)) return leaveOut('import.user_unrecognized')
  if (hasLarge(row)) return leaveOut('import.large')
  if (seen.has(mark)) return leaveOut('import.id_twice')
  if (name === '') return leaveOut('import.name_empty')
  const isTaken = known.taken.username.has(uniqueText('username', name))
  if (isTaken && choices.names === 'skip') return leaveOut('import.name_taken')
  seen.add(mark)
  tally.comes += 1
  users.push(plannedUser(row, { theirId, name, mark }, reading))
}

function plannedUser(
  row: ForeignRow,
  { theirId, name, mark }: Readonly<{ theirId: number; name: string; mark: string }>,
  { recognition, known, now, remarks }: UserReading,
): PlannedUser {
  const report = (key: Parameters<Remarks['add']>[0]['key'], params = {}) =>
    remarks.add({ table: 'users', row: name, outcome: 'changed', key, params })
  const unique = (column: UniqueColumn, text: string): string => {
    if (text === '') return ''
    const compared = uniqueText(column, text)
    if (known.taken[column].has(compared)) {
      report('import.taken', { column })
      return ''
    }
    known.taken[column].add(compared)
    return text
  }
  const email = unique('email', nameOf(row, 'email', 200))
  const username = freeName(name, email, known)
  if (username !== name) report('import.renamed', { name: username })
  const theirRole = wholeOf(row, 'role', { fallback: role.user })
  if (theirRole >= role.root) report('import.root_admin')
  const password = textOf(row, 'password')
  if (!isBcrypt(password)) report('import.password')
  const amount = (column: string, min = 0) => {
    const { taken, remark } = amountOf(row, column, { min, max: MAX_QUOTA })
    if (remark) report(remark, { column, taken })
    return taken
  }
  const accessToken = textOf(row, 'access_token').trim()
  return {
    theirId,
    mark,
    facts: recognition.facts.get(theirId) ?? '',
    quota: amount('quota', MIN_QUOTA),
    used: amount('used_quota'),
    requests: wholeOf(row, 'request_count'),
    inviter: wholeOf(row, 'inviter_id'),
    row: {
      username,
      password: isBcrypt(password) ? password : '',
      display_name: nameOf(row, 'display_name', 100) || username,
      role: theirRole >= role.admin ? role.admin : role.user,
      status: wholeOf(row, 'status', { fallback: 1 }) === userStatus.active ? userStatus.active : userStatus.banned,
      email,
      github_id: unique('github_id', nameOf(row, 'github_id', 200)),
      oidc_id: unique('oidc_id', nameOf(row, 'oidc_id', 200)),
      wechat_id: unique('wechat_id', nameOf(row, 'wechat_id', 200)),
      telegram_id: unique('telegram_id', nameOf(row, 'telegram_id', 200)),
      linux_do_id: unique('linux_do_id', nameOf(row, 'linux_do_id', 200)),
      access_token_hash: accessToken === '' ? null : unique('access_token_hash', sha256(accessToken)) || null,
      group: nameOf(row, 'group', 64) || 'default',
      aff_code: unique('aff_code', nameOf(row, 'aff_code', 32)) || null,
      aff_count: wholeOf(row, 'aff_count'),
      aff_quota: amount('aff_quota'),
      aff_history: wholeOf(row, 'aff_history', { max: MAX_QUOTA }),
      setting: settingIn(textOf(row, 'setting')),
      remark: nameOf(row, 'remark', 255),
      created_at: now,
    },
  }
}

/**
 * Returns the name if it is free, else with a number appended. Login looks up names before email addresses, so a name
 * that looks like someone else's address is changed too.
 */
function freeName(name: string, email: string, { taken, numbers }: UserReading['known']): string {
  const plain = name.includes('@') && name.toLowerCase() !== email.toLowerCase() ? name.replaceAll('@', '_') : name
  let free = plain
  // Continues from the last number of that name, since many users may share it.
  const nameKey = uniqueText('username', plain)
  for (let number = numbers.get(nameKey) ?? 2; taken.username.has(uniqueText('username', free)); number += 1) {
    free = `${plain}-${number}`
    numbers.set(nameKey, number + 1)
  }
  taken.username.add(uniqueText('username', free))
  return free
}

/** Drops an unproven notification address: notifications go to the account's own. */
function settingIn(text: string): string {
  const setting = parsed(text)
  if (!isObject(setting)) return ''
  const { notification_email, ...rest } = setting
  return notification_email === undefined ? text : JSON.stringify(rest)
}
