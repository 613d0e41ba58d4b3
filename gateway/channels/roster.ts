import { channelStatus } from '../../shared/enums.ts'
import type { Vault } from '../base/ciphers.ts'
import type { Logger } from '../base/logger.ts'
import { channelKeyStore } from '../store/channel-keys.ts'
import { channelStore } from '../store/channels.ts'
import type { Db } from '../store/database.ts'
import { type ActiveChannel, activeChannel } from './active-channel.ts'
import { wildcardOf } from './model-name.ts'
import type { Member, Tier } from './picker.ts'

/**
 * Every channel in memory, the map the relay routes by (spec/relay.md §4.1). All answers are synchronous and belong to
 * one moment; whoever writes channels awaits `reload` before answering, so nothing is ever routed by an older state.
 */
export interface Roster {
  /** Reads the channels anew and swaps the whole map at once; keeps the old one when reading fails. */
  reload(): Promise<void>
  /** All channels in any status, by id. */
  all(): Iterable<ActiveChannel>
  /** A channel in any status, for forced channels and tests; undefined when there is none or its key cannot be opened. */
  channel(id: number): ActiveChannel | undefined
  /** The ids of the channels that have exactly this key; none for an empty text. */
  withKey(key: string): readonly number[]
  /** The enabled channels that offer `model` to `group`, in falling priority; empty when there are none. */
  tiers(group: string, model: string): readonly Tier[]
  /** The models a group can use, sorted. */
  modelsOf(group: string): readonly string[]
  /** The models any group can use, sorted. */
  enabledModels(): readonly string[]
}

export type RosterDeps = Readonly<{ db: Db; vault: Vault; log: Logger }>

type Routes = ReadonlyMap<string, ReadonlyMap<string, readonly Tier[]>>
type Snapshot = Readonly<{
  byId: ReadonlyMap<number, ActiveChannel>
  routes: Routes
  modelsByGroup: ReadonlyMap<string, readonly string[]>
  models: readonly string[]
}>

const none: readonly never[] = Object.freeze([])
const empty: Snapshot = { byId: new Map(), routes: new Map(), modelsByGroup: new Map(), models: none }

/** An empty roster; `reload` fills it. */
export function createRoster({ db, vault, log }: RosterDeps): Roster {
  const store = channelStore(db)
  const keys = channelKeyStore(db)
  let now = empty
  let started = 0
  let shown = 0
  return {
    async reload() {
      started += 1
      const turn = started
      const rows = await store.all()
      const off = Map.groupBy(await keys.all(), ({ channel_id }) => channel_id)
      if (turn < shown) return
      shown = turn
      now = snapshotOf(rows.flatMap((row) => opened(() => activeChannel(row, vault, off.get(row.id)), row.id, log)))
    },
    all: () => now.byId.values(),
    channel: (id) => now.byId.get(id),
    withKey: (key) =>
      key === '' ? none : [...now.byId.values()].filter((channel) => hasKey(channel, key)).map(({ id }) => id),
    tiers(group, model) {
      const offers = now.routes.get(group)
      if (!offers) return none
      return offers.get(model) ?? offers.get(wildcardOf(model) ?? model) ?? none
    },
    modelsOf: (group) => now.modelsByGroup.get(group) ?? none,
    enabledModels: () => now.models,
  }
}

const hasKey = ({ key, pool }: ActiveChannel, asked: string): boolean =>
  key === asked || pool.some(({ channel }) => channel.key === asked)

/** A channel whose key cannot be opened stays in the console's list, where it can be given a new one, and is never used. */
function opened(open: () => ActiveChannel, channelId: number, log: Logger): ActiveChannel[] {
  try {
    return [open()]
  } catch (error) {
    log.warn('channel left out: its key cannot be opened', { channelId, error })
    return []
  }
}

function snapshotOf(channels: readonly ActiveChannel[]): Snapshot {
  const routes = routesOf(channels.filter(({ status }) => status === channelStatus.enabled))
  const modelsByGroup = new Map([...routes].map(([group, offers]) => [group, sorted(offers.keys())]))
  return {
    byId: new Map(channels.map((channel) => [channel.id, channel])),
    routes,
    modelsByGroup,
    models: sorted(new Set([...modelsByGroup.values()].flat())),
  }
}

const sorted = (names: Iterable<string>): readonly string[] => Object.freeze([...names].sort())

function routesOf(channels: readonly ActiveChannel[]): Routes {
  const offered = new Map<string, Map<string, Member[]>>()
  for (const channel of channels) {
    const member = Object.freeze({ channel, weight: channel.weight })
    for (const group of channel.groups) {
      const offers = offered.get(group) ?? new Map<string, Member[]>()
      offered.set(group, offers)
      for (const model of channel.models) {
        const members = offers.get(model)
        if (members) members.push(member)
        else offers.set(model, [member])
      }
    }
  }
  return new Map(
    [...offered].map(([group, offers]) => [
      group,
      new Map([...offers].map(([model, members]) => [model, tiersOf(members)])),
    ]),
  )
}

function tiersOf(members: readonly Member[]): readonly Tier[] {
  const byPriority = new Map<number, Member[]>()
  for (const member of members) {
    const { priority } = member.channel
    const equals = byPriority.get(priority)
    if (equals) equals.push(member)
    else byPriority.set(priority, [member])
  }
  const tiers = [...byPriority].map(([priority, equals]) => Object.freeze({ priority, members: Object.freeze(equals) }))
  return Object.freeze(tiers.sort((a, b) => b.priority - a.priority))
}
