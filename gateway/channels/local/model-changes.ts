import { channelStore } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { ChannelRow } from '../../store/schema.ts'
import { type ActiveChannel, namesIn, withoutTrailingSlash } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { wildcardOf } from '../registry/model-name.ts'
import { writeOver } from '../registry/write-channels.ts'
import type { Recognised } from './recognise.ts'

type Found = Extract<Recognised, { state: 'found' }>

/** Answers how many models came and went. */
export type TakeOver = (channel: ActiveChannel, found: Found, byItself: boolean) => Promise<number>

/** What a program has and its channel does not, and the other way round; names that the channel maps are its own. */
export function changesIn(
  { models, modelMapping }: Pick<ActiveChannel, 'models' | 'modelMapping'>,
  found: Found,
): Readonly<{ fresh: string[]; missing: string[] }> {
  const there = new Set(found.models.map(({ name }) => name))
  const here = new Set(models)
  return {
    fresh: [...there].filter((name) => !here.has(name)),
    missing: models.filter((name) => !there.has(name) && !modelMapping?.has(name)),
  }
}

/**
 * Gives a channel the models of its program, and answers how many came and went. What nobody has looked at (`byItself`) takes
 * no name that another channel has: its callers would be sent here. The last model stays, and so does everything where the
 * channel asks another address by now (docs/reference/local-models.md#changes).
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
      const others = byItself ? namesElsewhere(await channels.all(), channel.id) : new Set<string>()
      const come = fresh.filter((name) => !others.has(name) && !others.has(wildcardOf(name) ?? name))
      const gone = new Set(missing)
      const next = [...models.filter((name) => !gone.has(name)), ...come]
      if (next.length === 0 || come.length + gone.size === 0) return unchanged
      await channels.update([channel.id], { models: next.join(',') })
      return { ids: [channel.id], answer: come.length + gone.size }
    })
}

const unchanged = { ids: [], answer: 0 } as const

/** Of the rows: a channel whose key cannot be opened is in no registry, and has its names. */
const namesElsewhere = (rows: readonly Pick<ChannelRow, 'id' | 'models'>[], id: number): ReadonlySet<string> =>
  new Set(rows.filter((row) => row.id !== id).flatMap(({ models }) => namesIn(models)))
