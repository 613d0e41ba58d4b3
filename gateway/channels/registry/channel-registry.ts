import type { Vault } from '../../base/ciphers.ts'
import type { Logger } from '../../base/logger.ts'
import { channelKeyStore } from '../../store/channel-keys.ts'
import { channelStore } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { ChannelRow } from '../../store/schema.ts'
import { type ActiveChannel, activeChannel } from './active-channel.ts'
import { freeModelsIn } from './free-models.ts'
import type { Tier } from './picker.ts'
import { createRoutingTable } from './routing-table.ts'

/**
 * Every channel in memory, the map the relay routes by (docs/reference/selection.md#routing-table). All answers are
 * synchronous and belong to one moment; whoever writes channels awaits `reload` before answering, so nothing is ever
 * routed by an older state.
 */
export interface ChannelRegistry {
  /**
   * Reads these channels again, or all, and takes over what they are at once; keeps what it has when reading fails. An id
   * that is no channel's any more is forgotten.
   */
  reload(ids?: readonly number[]): Promise<void>
  /** All channels in any status, by id. */
  all(): Iterable<ActiveChannel>
  /** A channel in any status, for forced channels and tests; undefined when there is none or its secrets cannot be opened. */
  channel(id: number): ActiveChannel | undefined
  /** The ids of the channels that have exactly this key; none for an empty text. */
  withKey(key: string): readonly number[]
  /** The enabled channels that offer `model` to `group`, in falling priority; empty when there are none. */
  tiers(group: string, model: string): readonly Tier[]
  /** The models a group can use, sorted. */
  modelsOf(group: string): readonly string[]
  /** The models any group can use, sorted. */
  enabledModels(): readonly string[]
  /** The models that cost nothing, since free channels alone have them; the same set until a channel changes. */
  freeModels(): ReadonlySet<string>
}

type ChannelRegistryDeps = Readonly<{ db: Db; vault: Vault; log: Logger }>

const none: readonly never[] = Object.freeze([])

/** An empty registry; `reload` fills it. Reads stand in line, so that none brings back what an earlier one has seen changed. */
export function createChannelRegistry(deps: ChannelRegistryDeps): ChannelRegistry {
  const routes = createRoutingTable()
  let byId: ReadonlyMap<number, ActiveChannel> = new Map()
  const free = freeModelsIn(() => byId.values())
  let last: Promise<unknown> = Promise.resolve()
  const take = (before: readonly ActiveChannel[], after: readonly ActiveChannel[]) => {
    byId = replaced(byId, before, after)
    routes.replace(before, after)
    free.changed()
  }
  const read = async (ids: readonly number[] | undefined) => {
    const after = await channelsIn(deps, ids)
    take(ids === undefined ? [...byId.values()] : [...new Set(ids)].flatMap((id) => byId.get(id) ?? []), after)
  }
  return {
    reload(ids) {
      const turn = last.then(() => read(ids))
      last = turn.catch(() => {})
      return turn
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

const hasKey = ({ key, pool }: ActiveChannel, asked: string): boolean =>
  key === asked || pool.some(({ channel }) => channel.key === asked)

/** By rising id, whatever is put in. */
function replaced(
  byId: ReadonlyMap<number, ActiveChannel>,
  before: readonly ActiveChannel[],
  after: readonly ActiveChannel[],
): ReadonlyMap<number, ActiveChannel> {
  const next = new Map(byId)
  const stays = new Set(after.map(({ id }) => id))
  for (const { id } of before) if (!stays.has(id)) next.delete(id)
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

/** A channel whose secrets cannot be opened stays in the console's list, where it can be given new ones, and is never used. */
function opened({ id: channelId }: ChannelRow, open: () => ActiveChannel, log: Logger): ActiveChannel[] {
  try {
    return [open()]
  } catch (error) {
    log.warn('channel left out: its key cannot be opened', { channelId, error })
    return []
  }
}
