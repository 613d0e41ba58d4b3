import { logType } from '../../shared/enums.ts'
import { objectIn, parsed } from '../base/json/json.ts'
import type { ChannelOutcome } from '../store/log/usage-hours.ts'
import type { NewLog } from '../store/schema/schema.ts'
import { failedRequest } from './counted.ts'
import type { Charge } from './ledger.ts'

/** Statuses caused by the caller, which do not count against a channel. */
const CALLER_ERRORS: readonly unknown[] = [400, 413, 422]

/** Whether an attempt counts as a failure of its channel (docs/reference/channels.md#activity). */
export const hasFailed = ({ status, reason }: Readonly<{ status?: unknown; reason?: unknown }>): boolean =>
  (status !== undefined || reason !== undefined) && !CALLER_ERRORS.includes(status)

/**
 * Returns the outcomes of a charged request: the channel that served it (none on a cache hit), and those that failed
 * before.
 */
export function outcomesOfCharge({ at, channelId, failedChannels = [] }: Charge): ChannelOutcome[] {
  const failed = failedChannels.map((id) => ({ at, channelId: id, served: 0, failed: 1 }))
  return channelId > 0 ? [{ at, channelId, served: 1, failed: 0 }, ...failed] : failed
}

/** Returns the outcomes of a failed request's log row, multiplied if it stands for several requests. */
export function outcomesOfRow(row: NewLog): ChannelOutcome[] {
  if (row.type !== logType.error || !row.other?.includes('"tried":')) return []
  const tried = objectIn(objectIn(parsed(row.other)).admin_info).tried
  const count = failedRequest(row)?.errors ?? 0
  if (!Array.isArray(tried) || count === 0) return []
  return tried
    .map(objectIn)
    .filter((attempt) => hasFailed(attempt) && Number.isSafeInteger(attempt.channel))
    .map(({ channel }) => ({ at: row.created_at, channelId: Number(channel), served: 0, failed: count }))
}
