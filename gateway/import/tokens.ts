import { MAX_QUOTA, MIN_QUOTA } from '../../shared/api/fields.ts'
import { tokenStatus } from '../../shared/enums.ts'
import { sha256 } from '../base/ids.ts'
import { isAddressRange, MAX_ADDRESSES } from '../base/network/ip-address.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { amountOf, flagOf, hasLarge, isDeleted, nameOf, textOf, timeOf, wholeOf } from './cells.ts'
import type { ImportTally, PlannedToken } from './plan.ts'
import type { Remarks } from './remarks.ts'

/** The columns of tokens that are read; `models` and `subnet` are one-api's. */
export const tokenColumns = [
  'id',
  'user_id',
  'key',
  'status',
  'name',
  'created_time',
  'accessed_time',
  'expired_time',
  'remain_quota',
  'unlimited_quota',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'used_quota',
  'group',
  'models',
  'subnet',
  'deleted_at',
] as const

type TokenReading = Readonly<{
  /** Whether the user exists here or is imported too. */
  hasOwner: (theirId: number) => boolean
  remarks: Remarks
  tally: ImportTally
  tokens: PlannedToken[]
  /** Hashes of keys in this file, to detect duplicates. */
  seen: Set<string>
}>

/** The format of our keys: they contain no `-`, since a suffix after it selects a channel. */
const KEY = /^[A-Za-z0-9_.~+/=]{8,128}$/

/** The key of a row as stored here: without `sk-`. */
export const keyIn = (row: ForeignRow): string => textOf(row, 'key').trim().replace(/^sk-/, '')

/** Adds a token to the plan, or counts why it is not imported; `existing` has the hashes of known keys. */
export function takeToken(row: ForeignRow, existing: ReadonlyMap<string, unknown>, reading: TokenReading) {
  const { hasOwner, remarks, tally, tokens, seen } = reading
  const name = nameOf(row, 'name', 50)
  const label = name || `#${wholeOf(row, 'id')}`
  const leaveOut = (key: 'import.large' | 'import.owner_missing' | 'import.key_unusable') => {
    tally.left_out += 1
    remarks.add({ table: 'tokens', row: label, outcome: 'left_out', key })
  }
  if (isDeleted(row)) {
    tally.deleted += 1
    return
  }
  const key = keyIn(row)
  const hash = sha256(key)
  if (existing.has(hash) || seen.has(hash)) {
    tally.known += 1
    return
  }
  if (hasLarge(row)) return leaveOut('import.large')
  if (!KEY.test(key)) return leaveOut('import.key_unusable')
  const owner = wholeOf(row, 'user_id')
  if (!hasOwner(owner)) return leaveOut('import.owner_missing')
  seen.add(hash)
  tally.comes += 1
  const { addresses, isOpen } = addressesOf(row)
  if (!isOpen) {
    const params = { max: MAX_ADDRESSES }
    remarks.add({ table: 'tokens', row: label, outcome: 'changed', key: 'import.addresses', params })
  }
  const left = amountOf(row, 'remain_quota', { min: MIN_QUOTA, max: MAX_QUOTA })
  if (left.remark) {
    const params = { column: 'remain_quota', taken: left.taken }
    remarks.add({ table: 'tokens', row: label, outcome: 'changed', key: left.remark, params })
  }
  const status = wholeOf(row, 'status', { min: 1, max: 4, fallback: 1 })
  const models = modelsOf(row)
  tokens.push({
    theirId: wholeOf(row, 'id'),
    owner,
    key,
    used: wholeOf(row, 'used_quota', { max: MAX_QUOTA }),
    row: {
      name: name || 'imported',
      status: isOpen ? status : tokenStatus.disabled,
      created_time: timeOf(row, 'created_time'),
      accessed_time: timeOf(row, 'accessed_time'),
      expired_time: timeOf(row, 'expired_time', -1) || -1,
      remain_quota: left.taken,
      unlimited_quota: flagOf(row, 'unlimited_quota') ? 1 : 0,
      model_limits_enabled: models.isOn ? 1 : 0,
      model_limits: models.list,
      allow_ips: addresses,
      group: nameOf(row, 'group', 64),
    },
  })
}

/** one-api limits models if the list is set; new-api also has a switch. */
function modelsOf(row: ForeignRow): { isOn: boolean; list: string } {
  const own = textOf(row, 'models')
  const list = entriesOf(own || textOf(row, 'model_limits'), /[,\n]/).join(',')
  return { isOn: list !== '' && (own !== '' || flagOf(row, 'model_limits_enabled')), list }
}

/**
 * The addresses a token may be used from. If one is invalid, or there are too many, the token is imported as disabled,
 * for review.
 */
function addressesOf(row: ForeignRow): { addresses: string; isOpen: boolean } {
  const entries = entriesOf(textOf(row, 'allow_ips') || textOf(row, 'subnet'), /[\s,]/)
  const good = entries.slice(0, MAX_ADDRESSES).filter(isAddressRange)
  return { addresses: good.join('\n'), isOpen: good.length === entries.length }
}

const entriesOf = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
]
