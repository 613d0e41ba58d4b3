import type { LogRow } from '../../../../gateway/store/schema/schema.ts'
import type { World } from '../../../support/world.ts'
import { fraction } from '../../billing/fraction.ts'

/** A log row with its receipt parsed. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what a receipt holds
export type Receipt = Omit<LogRow, 'other'> & { other: any }

/** The log rows of a user's relayed requests, oldest first. */
export async function receiptsOf(world: World, userId: number): Promise<Receipt[]> {
  const { db, ledger } = world.gateway.inner
  await ledger.flush()
  const rows = await db.selectFrom('logs').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.filter(({ type }) => type === 2 || type === 5).map((row) => ({ ...row, other: JSON.parse(row.other) }))
}

/**
 * The newest of these rows; waits until there are at least `count`, since a request may end after its caller has left.
 */
export async function lastReceipt(world: World, userId: number, count = 1): Promise<Receipt> {
  for (let turn = 0; turn < 400; turn += 1) {
    const receipts = await receiptsOf(world, userId)
    const last = receipts.at(-1)
    if (last && receipts.length >= count) return last
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${count} receipts of user ${userId} never came`)
}

/**
 * The charge recomputed from a receipt with independent arithmetic (docs/reference/billing.md#charge,
 * docs/reference/billing.md#audio): exact, halves away from zero, at least 1 for tokens that have a price.
 */
export function recomputed(receipt: Receipt): number {
  const { other, prompt_tokens, completion_tokens } = receipt
  const group = exact(other.group_ratio)
  const extra = dollarsOf(other) * exact(other.quota_per_unit) * group * ONE
  if (other.model_price >= 0)
    return whole(exact(other.model_price) * MILLION * exact(other.quota_per_unit) * group * ONE + extra)
  if (prompt_tokens + completion_tokens + other.cache_tokens + (other.cache_creation_tokens ?? 0) === 0) return 0
  const rate = exact(other.model_ratio) * group
  const quota = whole(weightOf(receipt) * MILLION * rate + extra)
  return rate > 0n ? Math.max(quota, 1) : quota
}

/** The weighted sum of tokens, in units of `ONE` × `ONE`. */
function weightOf({ other, prompt_tokens, completion_tokens }: Receipt): bigint {
  const written = other.cache_creation_tokens ?? 0
  const hour = other.cache_creation_tokens_1h ?? 0
  const images = other.image_output ?? 0
  const heard = other.audio_input ?? 0
  const spoken = other.audio_output ?? 0
  const apart =
    heard + images + (other.audio_input_token_count ?? 0) + (other.claude ? 0 : other.cache_tokens + written)
  const weighs = (tokens: number, ratio = 1, again = 1) => BigInt(tokens) * exact(ratio) * exact(again)
  return (
    weighs(prompt_tokens - apart) +
    weighs(other.cache_tokens, other.cache_ratio) +
    weighs(written - hour, other.cache_creation_ratio) +
    weighs(hour, other.cache_creation_ratio_1h) +
    weighs(images, other.image_ratio) +
    weighs(heard, other.audio_ratio) +
    weighs(completion_tokens - spoken, other.completion_ratio) +
    weighs(spoken, other.audio_ratio, other.audio_completion_ratio)
  )
}

/** Millionths of a dollar for tools and for audio with its own price, in units of `ONE`. */
const dollarsOf = (other: Receipt['other']): bigint =>
  BigInt(other.web_search_call_count ?? 0) * exact(other.web_search_price ?? 0) * 1000n +
  BigInt(other.file_search_call_count ?? 0) * exact(other.file_search_price ?? 0) * 1000n +
  BigInt(other.audio_input_token_count ?? 0) * exact(other.audio_input_price ?? 0)

/** Expects no open reservations; returns the balance, and the initial balance less all charges on receipts. */
export async function balancesOf(world: World, userId: number, given: number) {
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
const MILLION = 1_000_000n

/** A decimal of at most twelve places, multiplied by `ONE`. */
function exact(value: number): bigint {
  const { over, under } = fraction(String(value))
  return (over * ONE) / under
}

/** A product of four decimals, in millionths, as a whole number. */
function whole(product: bigint): number {
  const unit = ONE ** 4n * MILLION
  return product === 0n ? 0 : Math.max(Number((product * 2n + unit) / (unit * 2n)), 1)
}
