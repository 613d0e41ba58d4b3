import { isDeepStrictEqual } from 'node:util'
import type { Consistency } from '../../../shared/api/channel-consistency.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { tokenStore } from '../../store/accounts/tokens.ts'
import { channelClientStore } from '../../store/channels/channel-clients.ts'
import { channelKeyStore } from '../../store/channels/channel-keys.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { ChannelKeyRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'

/**
 * The problems that were found and repaired; only channels whose secrets cannot be decrypted are not repaired, since
 * they need new secrets.
 */
type Findings = Consistency & Readonly<{ channels: number }>

/** Finds and repairs redundant state that differs and dangling references (docs/reference/channels.md#consistency). */
export type MendConsistency = () => Promise<Findings>

type ConsistencyDeps = Readonly<{ db: Db; registry: ChannelRegistry; clock: Clock }>

/** Reloads routing from the rows first, then deletes dangling references in one transaction. */
export const createConsistency =
  ({ db, registry, clock }: ConsistencyDeps): MendConsistency =>
  async () => {
    const before = new Map([...registry.all()].map((channel) => [channel.id, channel]))
    await registry.reload()
    const after = [...registry.all()]
    const changed = after.filter((channel) => !isDeepStrictEqual(before.get(channel.id), channel)).length
    const removed = [...before.keys()].filter((id) => !registry.channel(id)).length
    return db.transaction().execute(async (transaction) => {
      const ids = new Set((await channelStore(transaction).ids()).map(({ id }) => id))
      const keys = orphansIn(await channelKeyStore(transaction).all(), ids, registry)
      for (const { channel_id, key_id } of keys) await channelKeyStore(transaction).remove(channel_id, key_id)
      return {
        channels: ids.size,
        rerouted: changed + removed,
        keys: keys.length,
        seen: await channelClientStore(transaction).removeOrphans(),
        tokens: await tokenStore(transaction).removeOfDeletedUsers(unixSeconds(clock)),
        unreadable: ids.size - after.length,
      }
    })
  }

/** Key states of keys that no longer exist; a channel that cannot be decrypted keeps its key states. */
function orphansIn(rows: readonly ChannelKeyRow[], ids: ReadonlySet<number>, registry: ChannelRegistry) {
  const keysOf = new Map<number, ReadonlySet<string> | undefined>()
  for (const id of new Set(rows.map(({ channel_id }) => channel_id)))
    keysOf.set(id, ids.has(id) ? keyIdsOf(registry.channel(id)) : new Set())
  return rows.filter(({ channel_id, key_id }) => keysOf.get(channel_id)?.has(key_id) === false)
}

const keyIdsOf = (channel: ActiveChannel | undefined): ReadonlySet<string> | undefined =>
  channel && new Set(channel.pool.map((key) => key.channel.keyId))
