import { redemptionStatus } from '../../shared/enums.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { isDeleted, nameOf, textOf, timeOf, wholeOf } from './cells.ts'
import type { ImportTally, PlannedCode, PlannedTopUp } from './plan.ts'
import type { Remarks } from './remarks.ts'

export const codeColumns = [
  'id',
  'user_id',
  'key',
  'status',
  'name',
  'quota',
  'created_time',
  'redeemed_time',
  'used_user_id',
  'expired_time',
  'deleted_at',
] as const

export const topUpColumns = ['id', 'user_id', 'amount', 'money', 'trade_no', 'create_time', 'status'] as const

type Reading<T> = Readonly<{ remarks: Remarks; tally: ImportTally; taken: T[]; seen: Set<string> }>

const MAX_IN_A_CODE = 1_000_000_000_000

/** Adds a redemption code to the plan, or counts why it is not imported; `existing` contains known codes. */
export function takeCode(row: ForeignRow, existing: ReadonlySet<string>, reading: Reading<PlannedCode>): void {
  const { remarks, tally, taken, seen } = reading
  if (isDeleted(row)) {
    tally.deleted += 1
    return
  }
  const key = nameOf(row, 'key', 200)
  if (existing.has(key) || seen.has(key)) {
    tally.known += 1
    return
  }
  const quota = wholeOf(row, 'quota', { min: -1 })
  const label = nameOf(row, 'name', 100) || `#${wholeOf(row, 'id')}`
  if (key === '' || quota < 1 || quota > MAX_IN_A_CODE) {
    tally.left_out += 1
    remarks.add({ table: 'redemptions', row: label, outcome: 'left_out', key: 'import.code' })
    return
  }
  seen.add(key)
  tally.comes += 1
  taken.push({
    key,
    quota,
    name: label,
    status: wholeOf(row, 'status', { min: 1, max: redemptionStatus.used, fallback: redemptionStatus.disabled }),
    created_time: timeOf(row, 'created_time'),
    redeemed_time: timeOf(row, 'redeemed_time'),
    expired_time: timeOf(row, 'expired_time'),
    by: wholeOf(row, 'user_id'),
    usedBy: wholeOf(row, 'used_user_id'),
  })
}

const states = ['pending', 'success', 'expired']

/** Adds a top-up to the plan, or counts why it is not imported; `existing` contains known trade numbers. */
export function takeTopUp(
  row: ForeignRow,
  { isHere: existing, hasOwner }: Readonly<{ isHere: ReadonlySet<string>; hasOwner: (theirId: number) => boolean }>,
  { remarks, tally, taken, seen }: Reading<PlannedTopUp>,
): void {
  const trade_no = nameOf(row, 'trade_no', 255)
  const owner = wholeOf(row, 'user_id')
  if (existing.has(trade_no) || seen.has(trade_no)) {
    tally.known += 1
    return
  }
  if (trade_no === '' || !hasOwner(owner)) {
    tally.left_out += 1
    const row_ = trade_no || `#${wholeOf(row, 'id')}`
    remarks.add({ table: 'top_ups', row: row_, outcome: 'left_out', key: 'import.owner_missing' })
    return
  }
  seen.add(trade_no)
  tally.comes += 1
  const status = textOf(row, 'status')
  taken.push({
    owner,
    trade_no,
    amount: wholeOf(row, 'amount'),
    money_cents: centsOf(row.money),
    create_time: timeOf(row, 'create_time'),
    // A pending order can no longer be paid.
    status: states.includes(status) && status !== 'pending' ? status : 'expired',
  })
}

/** The amount paid, stored as a binary fraction, in whole cents; 0 if it is not a plausible amount. */
function centsOf(money: unknown): number {
  const paid = Number(money ?? 0)
  return paid > 0 && paid <= 1_000_000_000 ? Math.round(paid * 100) : 0
}
