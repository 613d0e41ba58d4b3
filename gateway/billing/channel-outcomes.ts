import { logType } from '../../shared/enums.ts'
import { objectIn, parsed } from '../base/json.ts'
import type { NewLog } from '../store/schema.ts'
import type { ChannelOutcome } from '../store/usage-hours.ts'
import { failedRequest } from './counted.ts'
import type { Charge } from './ledger.ts'

/** What the caller got wrong says nothing of a channel. */
const CALLERS_FAULTS: readonly unknown[] = [400, 413, 422]

/** Whether an attempt says that its channel failed (docs/reference/channels.md#activity). */
export const hasFailed = ({ status, reason }: Readonly<{ status?: unknown; reason?: unknown }>): boolean =>
  (status !== undefined || reason !== undefined) && !CALLERS_FAULTS.includes(status)

/**
 * What a charged request says of channels: the one that served, none where the answer came from the cache, and those that
 * failed before.
 */
export function outcomesOfCharge({ at, channelId, failedChannels = [] }: Charge): ChannelOutcome[] {
  const failed = failedChannels.map((id) => ({ at, channelId: id, served: 0, failed: 1 }))
  return channelId > 0 ? [{ at, channelId, served: 1, failed: 0 }, ...failed] : failed
}

/** What the row of a failed request says of channels, as often as it stands for one. */
export function outcomesOfRow(row: NewLog): ChannelOutcome[] {
  if (row.type !== logType.error || !row.other?.includes('"tried":')) return []
  const tried = objectIn(objectIn(parsed(row.other)).admin_info).tried
  const times = failedRequest(row)?.errors ?? 0
  if (!Array.isArray(tried) || times === 0) return []
  return tried
    .map(objectIn)
    .filter((attempt) => hasFailed(attempt) && Number.isSafeInteger(attempt.channel))
    .map(({ channel }) => ({ at: row.created_at, channelId: Number(channel), served: 0, failed: times }))
}
