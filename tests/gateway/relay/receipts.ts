import type { LogRow } from '../../../gateway/store/schema.ts'
import type { World } from '../../support/world.ts'

/** A log row with its receipt opened. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what a receipt holds
export type Receipt = Omit<LogRow, 'other'> & { other: any }

/** Everything written down about a user's relayed requests, the oldest first. */
export async function receiptsOf(world: World, userId: number): Promise<Receipt[]> {
  const { db, ledger } = world.gateway.inner
  await ledger.flush()
  const rows = await db.selectFrom('logs').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.filter(({ type }) => type === 2 || type === 5).map((row) => ({ ...row, other: JSON.parse(row.other) }))
}

/** The newest of them; waits until there are at least `count`, since a request may end after its caller. */
export async function lastReceipt(world: World, userId: number, count = 1): Promise<Receipt> {
  for (let turn = 0; turn < 400; turn += 1) {
    const receipts = await receiptsOf(world, userId)
    const last = receipts.at(-1)
    if (last && receipts.length >= count) return last
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${count} receipts of user ${userId} never came`)
}

/** What a receipt says was to be paid, by arithmetic of its own (spec/relay.md §6.3): exact, halves away from zero, at least 1. */
export function recomputed({ other, prompt_tokens, completion_tokens }: Receipt): number {
  if (other.model_price >= 0)
    return whole(exact(other.model_price) * exact(other.quota_per_unit) * exact(other.group_ratio), 3)
  if (prompt_tokens + completion_tokens === 0) return 0
  const base = exact(prompt_tokens - other.cache_tokens) * ONE + exact(other.cache_tokens) * exact(other.cache_ratio)
  const tokens = base + exact(completion_tokens) * exact(other.completion_ratio)
  return whole(tokens * exact(other.model_ratio) * exact(other.group_ratio), 4)
}

/** Nobody holds anything any more, and the balance is what was given less what the receipts say. */
export async function booksOf(world: World, userId: number, given: number) {
  const receipts = await receiptsOf(world, userId)
  const { quota, used_quota, request_count } = await world.gateway.inner.db
    .selectFrom('users')
    .select(['quota', 'used_quota', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const spent = receipts.reduce((sum, row) => sum + row.quota, 0)
  const charged = receipts.filter(({ type }) => type === 2).length
  return { balanced: quota === given - spent && used_quota === spent && request_count === charged, spent, receipts }
}

const DIGITS = 12
const ONE = 10n ** BigInt(DIGITS)

/** A decimal with twelve places as a whole number. */
function exact(value: number): bigint {
  const [before = '0', after = ''] = value.toFixed(DIGITS).split('.')
  return BigInt(before + after)
}

function whole(product: bigint, factors: number): number {
  const unit = ONE ** BigInt(factors)
  return product === 0n ? 0 : Math.max(Number((product * 2n + unit) / (unit * 2n)), 1)
}
