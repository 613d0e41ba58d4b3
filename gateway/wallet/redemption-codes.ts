import type { NewRedemptions, RedemptionChange, RedemptionView } from '../../shared/api/redemption.ts'
import { redemptionStatus } from '../../shared/enums.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import { type Manager, requireManager } from '../accounts/guards/managing.ts'
import { managerRow } from '../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomHex } from '../base/ids.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { type ListedRedemption, type RedemptionPatch, redemptionStore } from '../store/ledger/redemptions.ts'
import type { Db } from '../store/sqlite/database.ts'

export type RedemptionCodesDeps = Readonly<{
  db: Db
  clock: Clock
  vault: Pick<Vault, 'sign'>
  show: (quota: number) => string
}>

/**
 * Management of redemption codes by administrators (docs/reference/wallet.md#redemption-codes). Every change is one
 * transaction with its log row, which never contains a key.
 */
export interface RedemptionCodes {
  one(id: number): Promise<RedemptionView>
  /**
   * Creates codes and returns their keys. A call that repeats an idempotency key with the same fields gets the keys of
   * the first call.
   */
  create(by: Manager, fields: NewRedemptions): Promise<string[]>
  /** Writes the fields that are present; with `statusOnly`, only the status. Throws if the code was used. */
  update(by: Manager, change: RedemptionChange, statusOnly: boolean): Promise<RedemptionView>
  remove(by: Manager, id: number): Promise<void>
  /** Deletes codes that can no longer be redeemed; returns how many. */
  removeInvalid(by: Manager): Promise<number>
}

/** Hexadecimal digits of a key: 128 random bits. */
const KEY_DIGITS = 32

export function createRedemptionCodes({ db, clock, vault, show }: RedemptionCodesDeps): RedemptionCodes {
  const find = async (id: number, from: Db = db): Promise<ListedRedemption> =>
    (await redemptionStore(from).one(id)) ?? notFound()
  const change = <T>(by: Manager, work: (transaction: Db) => Promise<Changed<T>>): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      await requireManager(transaction, by)
      const { answer, audit } = await work(transaction)
      if (audit)
        await transaction
          .insertInto('logs')
          .values(managerRow(by, audit.key, clock, audit.params, { redemption: audit.facts }))
          .execute()
      return answer
    })
  return {
    one: async (id) => redemptionViewOf(await find(id)),
    create(by, fields) {
      const { name, quota, count, expired_time } = fields
      const now = unixSeconds(clock)
      checkExpiry(expired_time, now)
      const keys = Array.from({ length: count }, (_, index) => newKey(vault, by, fields, index))
      const row = { user_id: by.id, name, quota, created_time: now, expired_time }
      return change(by, async (transaction) => {
        const added = await redemptionStore(transaction).addNew(keys.map((key) => ({ ...row, key })))
        const params = { name, n: added, amount: show(quota) }
        const facts = { name, quota, count: added, expired_time }
        return { answer: keys, audit: added > 0 && { key: 'log.codes_made', params, facts } }
      })
    },
    update(by, fields, statusOnly) {
      const patch: RedemptionPatch = statusOnly ? { status: requestedStatus(fields) } : fieldsOf(fields)
      if (patch.expired_time !== undefined) checkExpiry(patch.expired_time, unixSeconds(clock))
      return change(by, async (transaction) => {
        const { name, status } = await find(fields.id, transaction)
        if (status === redemptionStatus.used || !(await redemptionStore(transaction).patch(fields.id, patch)))
          throw refuse('invalid', 'redeem.used_change')
        const audit = {
          key: 'log.code_changed',
          params: { name, id: fields.id },
          facts: { id: fields.id, ...patch },
        } as const
        return { answer: redemptionViewOf(await find(fields.id, transaction)), audit }
      })
    },
    remove: (by, id) =>
      change(by, async (transaction) => {
        const { name } = await find(id, transaction)
        if (!(await redemptionStore(transaction).remove(id, unixSeconds(clock)))) notFound()
        return { answer: undefined, audit: { key: 'log.code_removed', params: { name, id }, facts: { id } } }
      }),
    removeInvalid: (by) =>
      change(by, async (transaction) => {
        const n = await redemptionStore(transaction).removeInvalid(unixSeconds(clock))
        return { answer: n, audit: n > 0 && { key: 'log.codes_removed', params: { n }, facts: { removed: n } } }
      }),
  }
}

/** A random key; with an idempotency key, the same for the same fields, and known only with the data key. */
function newKey(vault: Pick<Vault, 'sign'>, by: Manager, fields: NewRedemptions, index: number): string {
  const { idempotency_key: repeated, name, quota, expired_time } = fields
  if (!repeated) return randomHex(KEY_DIGITS)
  const text = JSON.stringify([by.id, repeated, name, quota, expired_time, index])
  return Buffer.from(vault.sign(text, 'redemption code'), 'base64url').toString('hex').slice(0, KEY_DIGITS)
}

type Changed<T> = Readonly<{
  answer: T
  audit: Readonly<{ key: MessageKey; params: MessageParams; facts: object }> | false
}>

/** A code as returned by the API; `count` is for clients of related gateways. */
export const redemptionViewOf = ({ deleted_at, used_username, ...row }: ListedRedemption): RedemptionView => ({
  ...row,
  count: 0,
  used_username: used_username ?? '',
  DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
})

const fieldsOf = ({ name, quota, expired_time }: RedemptionChange): RedemptionPatch => ({
  ...(name === undefined ? {} : { name }),
  ...(quota === undefined ? {} : { quota }),
  ...(expired_time === undefined ? {} : { expired_time }),
})

/** Only unused and disabled can be set: a code becomes used by redeeming it. */
function requestedStatus({ status }: RedemptionChange): number {
  if (status !== redemptionStatus.unused && status !== redemptionStatus.disabled)
    throw refuse('invalid', 'param.invalid')
  return status
}

function checkExpiry(expiry: number, now: number): void {
  if (expiry !== 0 && expiry < now) throw refuse('invalid', 'redeem.expiry_past')
}

function notFound(): never {
  throw refuse('missing', 'redeem.not_found')
}
