import type { TagChange } from '../../../shared/api/channel.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import { type ChannelPatch, channelStore } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { ChannelRow } from '../../store/schema.ts'
import { reviveKeys, withoutReason } from '../health/status-transitions.ts'
import { namesIn } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { writeOver } from '../registry/write-channels.ts'
import { groupsFrom, modelMappingFrom, modelsFrom } from './field-rules.ts'

/**
 * Writes all channels of a tag at once (docs/reference/channels.md#tags); each verb is one transaction, routing
 * follows it.
 */
export interface TagEditor {
  enable(tag: string): Promise<void>
  disable(tag: string): Promise<void>
  /** Renames or dissolves the tag and overwrites what is given; blank lists keep what the channels have. */
  change(change: TagChange): Promise<void>
  /** Sets or clears the tag of these channels; answers how many there were. */
  tagMany(ids: readonly number[], tag: string | null): Promise<number>
  /** The models of the tag's channel that has most of them, joined by commas. */
  modelsOf(tag: string): Promise<string>
}

/** What a person may make of a channel. */
type Switched = typeof channelStatus.enabled | typeof channelStatus.disabled

/** The verbs over one database and the registry that follows it. */
export function createTagEditor({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): TagEditor {
  const write = writeOver({ db, registry })
  const switchTo = (tag: string, status: Switched) =>
    write(async (transaction) => {
      const rows = await channelStore(transaction).byTag(named(tag))
      await channelStore(transaction).update(idsOf(rows), { status })
      if (status !== channelStatus.enabled) return { ids: idsOf(rows), answer: undefined }
      await clearReasons(transaction, rows)
      for (const { id } of rows) await reviveKeys(transaction, id, registry.channel(id)?.pool.length ?? 0)
      return { ids: idsOf(rows), answer: undefined }
    })
  return {
    enable: (tag) => switchTo(tag, channelStatus.enabled),
    disable: (tag) => switchTo(tag, channelStatus.disabled),
    change: (change) =>
      write(async (transaction) => {
        const rows = await channelStore(transaction).byTag(named(change.tag))
        await channelStore(transaction).update(idsOf(rows), columnsFrom(change))
        return { ids: idsOf(rows), answer: undefined }
      }),
    tagMany: (ids, tag) =>
      write(async (transaction) => {
        const n = await channelStore(transaction).update(ids, { tag: tag?.trim() || null })
        return { ids, answer: n }
      }),
    async modelsOf(tag) {
      const rows = await channelStore(db).byTag(named(tag))
      const longest = rows.reduce(
        (best, { models }) => (namesIn(models).length > namesIn(best).length ? models : best),
        '',
      )
      return namesIn(longest).join(',')
    },
  }
}

/**
 * Blank texts keep what the channels have; numbers count when they are there, zero too
 * (docs/reference/channels.md#tags).
 */
function columnsFrom({ tag, new_tag, model_mapping, models, groups, priority, weight }: TagChange): ChannelPatch {
  const renamed = typeof new_tag === 'string' && new_tag.trim() !== tag.trim()
  return {
    ...(renamed ? { tag: new_tag.trim() || null } : {}),
    ...(model_mapping?.trim() ? { model_mapping: modelMappingFrom(model_mapping) } : {}),
    ...(models?.trim() ? { models: modelsFrom(models) } : {}),
    ...(groups?.trim() ? { group: groupsFrom(groups) } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
    ...(typeof weight === 'number' ? { weight } : {}),
  }
}

/** Why the system had disabled a channel no longer matters once a person has enabled it. */
async function clearReasons(transaction: Db, rows: readonly ChannelRow[]): Promise<void> {
  for (const { id, other_info } of rows)
    if (other_info !== '') await channelStore(transaction).update([id], { other_info: withoutReason(other_info) })
}

const idsOf = (rows: readonly ChannelRow[]) => rows.map(({ id }) => id)

function named(tag: string): string {
  const name = tag.trim()
  if (name === '') throw refuse('invalid', 'channel.tag_empty')
  return name
}
