import { refuse } from '../../base/errors.ts'
import { channelStore } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { ActiveChannel } from './active-channel.ts'
import type { ChannelRegistry } from './channel-registry.ts'

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
