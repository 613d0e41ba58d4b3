import { refuse } from '../../base/errors.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ActiveChannel } from './active-channel.ts'
import type { ChannelRegistry } from './channel-registry.ts'

/** The result of a write: the ids of the channels that changed, and the value to return. */
export type Written<T> = Readonly<{ ids: readonly number[]; answer: T }>

/**
 * Runs `work` in one transaction and resolves once the registry is updated; if `work` fails, neither the database nor
 * the registry changes.
 */
type Write = <T>(work: (transaction: Db) => Promise<Written<T>>) => Promise<T>

export const writeOver =
  ({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): Write =>
  async (work) => {
    const { ids, answer } = await db.transaction().execute(work)
    if (ids.length > 0) await registry.reload(ids)
    return answer
  }

/**
 * Finds a channel in any status. Throws `channel.not_found`, or `channel.need_key` if its stored key cannot be
 * decrypted.
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
