import { GatewayError } from '../../gateway/base/errors.ts'
import type { Calls, Scene } from './storm-calls.ts'

type Row = Readonly<{ id: number; left: number }>

/**
 * Compares the spendable amounts of the ledger with the database, less the open holds: exactly that much can be
 * reserved. All writes must have completed. Occasionally drops an account from memory, so that it is read again.
 */
export function checkPurses({ database, ledger, random, say }: Scene, calls: Calls): void {
  const heldBy = (member: 'user' | 'token', id: number) =>
    calls.open.filter((call) => call[member] === id).reduce((sum, call) => sum + call.hold.quota, 0)
  const read = (text: string) => database.reader.prepare(text).all() as Row[]
  const leftOf = new Map<number, number>()
  for (const { id, left } of read('select id, quota as left from users')) {
    const free = left - heldBy('user', id)
    leftOf.set(id, free)
    if (!fits(id, 0, free)) say(`! user ${id} has ${free}, but cannot set it aside`)
    if (fits(id, 0, Math.max(free, 0) + 1)) say(`! user ${id} has ${free}, but can set more aside`)
  }
  for (const { id, left } of read('select id, remain_quota as left from tokens where unlimited_quota = 0')) {
    const owner = ownerIn(id)
    const free = left - heldBy('token', id)
    if ((leftOf.get(owner) ?? 0) <= Math.max(free, 0) + 1) continue
    if (!fits(owner, id, free)) say(`! token ${id} has ${free}, but cannot set it aside`)
    if (fits(owner, id, Math.max(free, 0) + 1)) say(`! token ${id} has ${free}, but can set more aside`)
  }
  const isIdle = (id: number) => calls.open.every(({ user, token }) => user !== id && token !== id)
  for (const [id] of leftOf) if (isIdle(id) && random() < 0.2) ledger.forget({ userId: id, tokenId: id })

  function ownerIn(token: number): number {
    const row = database.reader.prepare('select user_id as owner from tokens where id = ?').get(token)
    return (row as { owner: number }).owner
  }
  /** Whether `quota` can be reserved, as 0 always can; releases it again. */
  function fits(userId: number, tokenId: number, quota: number): boolean {
    if (quota <= 0) return true
    try {
      ledger.hold({ requestId: 'trial', userId, tokenId, quota }).release()
      return true
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'exhausted') return false
      throw error
    }
  }
}
