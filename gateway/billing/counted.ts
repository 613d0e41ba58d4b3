import { logType } from '../../shared/enums.ts'
import { objectIn, parsed } from '../base/json/json.ts'
import type { CountedNames, CountedRequest } from '../store/log/usage-hours.ts'
import type { NewLog } from '../store/schema/schema.ts'
import type { Charge } from './ledger.ts'

/** Converts a charge to an hourly usage entry: from its `use`, else from its log row. */
export function chargedRequest(
  { userId, tokenId }: Readonly<{ userId: number; tokenId: number }>,
  { at, quota, tokens, use, log }: Charge,
): CountedRequest {
  const { username, model, tookMs, firstByteMs } = use ?? usageIn(log)
  const used = tokens ?? (log?.prompt_tokens ?? 0) + (log?.completion_tokens ?? 0)
  return { at, userId, username, tokenId, model, errors: 0, quota, tokens: used, tookMs, firstByteMs }
}

/**
 * The names the ledger stores for a refundable charge, as text, so that its hour can be corrected: names may change and
 * the log may be cleared.
 */
export function countedAs(account: Readonly<{ userId: number; tokenId: number }>, charge: Charge): string {
  const { username, model } = chargedRequest(account, charge)
  return JSON.stringify({ username, model })
}

/**
 * The names `countedAs` stored; undefined for an empty text, which means that the charge was not counted or may not be
 * refunded.
 */
export function countedNames(text: string): CountedNames | undefined {
  if (text === '') return undefined
  const { username, model } = objectIn(parsed(text))
  return { username: String(username), model: String(model) }
}

/** A failed request, or several if the row stands for more than one. */
export function failedRequest(row: NewLog): CountedRequest | undefined {
  if (row.type !== logType.error || !row.request_id) return undefined
  const { user_id: userId, token_id: tokenId = 0, created_at: at, username = '', other = '' } = row
  const folded = other.includes('"folded":') ? objectIn(objectIn(parsed(other)).folded).count : 1
  const errors = Number.isSafeInteger(folded) ? Math.max(Number(folded), 1) : 1
  return { at, userId, username, tokenId, model: '', errors, quota: 0, tokens: 0, tookMs: -1, firstByteMs: -1 }
}

function usageIn(row: NewLog | null): NonNullable<Charge['use']> {
  if (!row) return { username: '', model: '', tookMs: -1, firstByteMs: -1 }
  const facts = objectIn(parsed(row.other ?? ''))
  return {
    username: row.username ?? '',
    model: row.model_name ?? '',
    tookMs: millisecondsIn(facts.duration_ms) ?? (row.use_time ?? 0) * 1000,
    firstByteMs: row.is_stream ? (millisecondsIn(facts.frt) ?? -1) : -1,
  }
}

const millisecondsIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
