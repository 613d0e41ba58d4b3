import { refuse } from '../../base/errors.ts'
import { channelStore } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { ActiveChannel } from './active-channel.ts'
import type { ChannelRegistry } from './channel-registry.ts'

/** What was written: the channels that are other than before, and what the caller is told. */
export type Written<T> = Readonly<{ ids: readonly number[]; answer: T }>

/** Runs `work` in one transaction and answers once the registry has followed; a failure leaves both as they were. */
export type Write = <T>(work: (transaction: Db) => Promise<Written<T>>) => Promise<T>

/** How channels are written: nobody gets an answer while routing still goes by the older state. */
export const writeOver =
  ({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): Write =>
  async (work) => {
    const { ids, answer } = await db.transaction().execute(work)
    if (ids.length > 0) await registry.reload(ids)
    return answer
  }

/**
 * A channel to call, in whatever status. Refuses `channel.not_found`, or `channel.need_key` for one whose stored key
 * cannot be opened any more.
 */
export async function findChannel(
  { db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>,
  id: number,
): Promise<ActiveChannel> {
  const channel = registry.channel(id)
  if (channel) return channel
  const stored = await channelStore(db).visibleById(id)
  throw stored ? refuse('invalid', 'channel.need_key') : refuse('missing', 'channel.not_found')
}
