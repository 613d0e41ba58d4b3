import type { TagChange } from '../../../shared/api/channel.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import { type ChannelPatch, channelStore } from '../../store/channels/channels.ts'
import type { ChannelRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { reviveKeys, withoutReason } from '../health/status-transitions.ts'
import { namesIn } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { writeOver } from '../registry/write-channels.ts'
import { groupsFrom, modelMappingFrom, modelsFrom } from './field-rules.ts'

/**
 * Writes all channels of a tag at once (docs/reference/channels.md#tags). Each change is one transaction, after which
 * routing is updated.
 */
export interface TagEditor {
  enable(tag: string): Promise<void>
  disable(tag: string): Promise<void>
  /** Renames or removes the tag and overwrites the fields given; blank lists leave the channels' values unchanged. */
  change(change: TagChange): Promise<void>
  /** Sets or clears the tag of these channels; returns how many were found. */
  tagMany(ids: readonly number[], tag: string | null): Promise<number>
  /** The models of the tag's channel that has the most, joined by commas. */
  modelsOf(tag: string): Promise<string>
}

type SwitchStatus = typeof channelStatus.enabled | typeof channelStatus.disabled

export function createTagEditor({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): TagEditor {
  const write = writeOver({ db, registry })
  const switchTo = (tag: string, status: SwitchStatus) =>
    write(async (transaction) => {
      const rows = await channelStore(transaction).byTag(tagName(tag))
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
        const rows = await channelStore(transaction).byTag(tagName(change.tag))
        await channelStore(transaction).update(idsOf(rows), columnsFrom(change))
        return { ids: idsOf(rows), answer: undefined }
      }),
    tagMany: (ids, tag) =>
      write(async (transaction) => {
        const n = await channelStore(transaction).update(ids, { tag: tag?.trim() || null })
        return { ids, answer: n }
      }),
    async modelsOf(tag) {
      const rows = await channelStore(db).byTag(tagName(tag))
      const longest = rows.reduce(
        (best, { models }) => (namesIn(models).length > namesIn(best).length ? models : best),
        '',
      )
      return namesIn(longest).join(',')
    },
  }
}

/**
 * Blank texts leave the channels' values unchanged; numbers are written if present, including 0
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

async function clearReasons(transaction: Db, rows: readonly ChannelRow[]): Promise<void> {
  for (const { id, other_info } of rows)
    if (other_info !== '') await channelStore(transaction).update([id], { other_info: withoutReason(other_info) })
}

const idsOf = (rows: readonly ChannelRow[]) => rows.map(({ id }) => id)

function tagName(tag: string): string {
  const name = tag.trim()
  if (name === '') throw refuse('invalid', 'channel.tag_empty')
  return name
}
