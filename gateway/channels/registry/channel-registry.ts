import type { Logger } from '../../base/log/logger.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import { channelKeyStore } from '../../store/channels/channel-keys.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { ChannelRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type ActiveChannel, activeChannel } from './active-channel.ts'
import { freeModelsIn } from './free-models.ts'
import type { Tier } from './picker.ts'
import { createRoutingTable } from './routing-table.ts'

/**
 * Every channel in memory, and the routing table (docs/reference/selection.md#routing-table). All reads are synchronous
 * and consistent. Code that writes channels awaits `reload` before it responds, so no request is routed by outdated
 * state.
 */
export interface ChannelRegistry {
  /**
   * Reads these channels again, or all, and applies the result at once; keeps the current state if reading fails. Drops
   * ids that no longer exist.
   */
  reload(ids?: readonly number[]): Promise<void>
  /** All channels in any status, by id. */
  all(): Iterable<ActiveChannel>
  /**
   * A channel in any status, for forced channels and tests; undefined if it does not exist or its secrets cannot be
   * decrypted.
   */
  channel(id: number): ActiveChannel | undefined
  /** The ids of the channels that have exactly this key; none for an empty text. */
  withKey(key: string): readonly number[]
  /** The enabled channels that offer `model` to `group`, by descending priority; empty if there are none. */
  tiers(group: string, model: string): readonly Tier[]
  /** The models a group can use, sorted. */
  modelsOf(group: string): readonly string[]
  /** The models any group can use, sorted. */
  enabledModels(): readonly string[]
  /** The models that are free because only free channels have them; the same set until a channel changes. */
  freeModels(): ReadonlySet<string>
}

type ChannelRegistryDeps = Readonly<{ db: Db; vault: Vault; log: Logger }>

const none: readonly never[] = Object.freeze([])

/** Returns an empty registry; `reload` fills it. Reloads are serialized, so that none restores outdated state. */
export function createChannelRegistry(deps: ChannelRegistryDeps): ChannelRegistry {
  const routes = createRoutingTable()
  let byId: ReadonlyMap<number, ActiveChannel> = new Map()
  const free = freeModelsIn(() => byId.values())
  let last: Promise<unknown> = Promise.resolve()
  const apply = (before: readonly ActiveChannel[], after: readonly ActiveChannel[]) => {
    byId = replaced(byId, before, after)
    routes.replace(before, after)
    free.changed()
  }
  const read = async (ids: readonly number[] | undefined) => {
    const after = await channelsIn(deps, ids)
    apply(ids === undefined ? [...byId.values()] : [...new Set(ids)].flatMap((id) => byId.get(id) ?? []), after)
  }
  return {
    reload(ids) {
      const reloading = last.then(() => read(ids))
      last = reloading.catch(() => {})
      return reloading
    },
    all: () => byId.values(),
    channel: (id) => byId.get(id),
    withKey: (key) =>
      key === '' ? none : [...byId.values()].filter((channel) => hasKey(channel, key)).map(({ id }) => id),
    tiers: routes.tiers,
    modelsOf: routes.modelsOf,
    enabledModels: routes.models,
    freeModels: free.names,
  }
}

const hasKey = ({ key, pool }: ActiveChannel, wanted: string): boolean =>
  key === wanted || pool.some(({ channel }) => channel.key === wanted)

/** Keeps the map sorted by ascending id. */
function replaced(
  byId: ReadonlyMap<number, ActiveChannel>,
  before: readonly ActiveChannel[],
  after: readonly ActiveChannel[],
): ReadonlyMap<number, ActiveChannel> {
  const next = new Map(byId)
  const remaining = new Set(after.map(({ id }) => id))
  for (const { id } of before) if (!remaining.has(id)) next.delete(id)
  const isNew = after.some(({ id }) => !next.has(id))
  for (const channel of after) next.set(channel.id, channel)
  return isNew ? new Map([...next].sort(([a], [b]) => a - b)) : next
}

async function channelsIn({ db, vault, log }: ChannelRegistryDeps, ids: readonly number[] | undefined) {
  const channels = channelStore(db)
  const rows = await (ids === undefined ? channels.all() : channels.byIds([...new Set(ids)]))
  const keys = channelKeyStore(db)
  const [only] = ids ?? []
  const off = Map.groupBy(
    await (ids?.length === 1 && only !== undefined ? keys.of(only) : keys.all()),
    ({ channel_id }) => channel_id,
  )
  return rows.flatMap((row) => opened(row, () => activeChannel(row, vault, off.get(row.id)), log))
}

/**
 * A channel whose secrets cannot be decrypted stays in the console's list, where they can be replaced, but is never
 * used.
 */
function opened({ id: channelId }: ChannelRow, open: () => ActiveChannel, log: Logger): ActiveChannel[] {
  try {
    return [open()]
  } catch (error) {
    log.warn('channel left out: its key cannot be opened', { channelId, error })
    return []
  }
}
