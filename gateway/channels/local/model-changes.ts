import { channelStore } from '../../store/channels/channels.ts'
import type { ChannelRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type ActiveChannel, namesIn, withoutTrailingSlash } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { wildcardOf } from '../registry/model-name.ts'
import { writeOver } from '../registry/write-channels.ts'
import type { Recognised } from './recognise.ts'

type Found = Extract<Recognised, { state: 'found' }>

export type TakeOver = (channel: ActiveChannel, found: Found, byItself: boolean) => Promise<number>

/**
 * Compares a program's models with its channel's: added and missing names. Names that the channel's mapping replaces do
 * not count as missing.
 */
export function changesIn(
  { models, modelMapping }: Pick<ActiveChannel, 'models' | 'modelMapping'>,
  found: Found,
): Readonly<{ fresh: string[]; missing: string[] }> {
  const offered = new Set(found.models.map(({ name }) => name))
  const configured = new Set(models)
  return {
    fresh: [...offered].filter((name) => !configured.has(name)),
    missing: models.filter((name) => !offered.has(name) && !modelMapping?.has(name)),
  }
}

/**
 * Gives a channel the models of its program, and returns how many were added and removed. An automatic update
 * (`byItself`) does not add a name another channel has, since that channel's requests would be routed here. Keeps the
 * last model, and changes nothing if the channel has another address by now (docs/reference/local-models.md#changes).
 */
export function createTakeOver({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): TakeOver {
  const write = writeOver({ db, registry })
  return (channel, found, byItself) =>
    write(async (transaction) => {
      const channels = channelStore(transaction)
      const row = await channels.byId(channel.id)
      if (!row || (row.base_url !== '' && withoutTrailingSlash(row.base_url) !== channel.baseUrl)) return unchanged
      const models = namesIn(row.models)
      const { fresh, missing } = changesIn({ models, modelMapping: channel.modelMapping }, found)
      const namesOfOthers = byItself ? namesElsewhere(await channels.all(), channel.id) : new Set<string>()
      const added = fresh.filter((name) => !namesOfOthers.has(name) && !namesOfOthers.has(wildcardOf(name) ?? name))
      const removed = new Set(missing)
      const next = [...models.filter((name) => !removed.has(name)), ...added]
      if (next.length === 0 || added.length + removed.size === 0) return unchanged
      await channels.update([channel.id], { models: next.join(',') })
      return { ids: [channel.id], answer: added.length + removed.size }
    })
}

const unchanged = { ids: [], answer: 0 } as const

/** Reads the rows, not the registry, which lacks channels whose key cannot be decrypted. */
const namesElsewhere = (rows: readonly Pick<ChannelRow, 'id' | 'models'>[], id: number): ReadonlySet<string> =>
  new Set(rows.filter((row) => row.id !== id).flatMap(({ models }) => namesIn(models)))
