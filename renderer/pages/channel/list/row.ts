import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelStatus } from '../../../../shared/enums.ts'

/** In tag mode: a tag and its channels; `null` collects the channels without one (docs/reference/channels.md#lists). */
export type TagRow = Readonly<{ tag: string | null; channels: readonly ChannelView[] }>

/** A row: a channel, or in tag mode a tag that opens to show its channels. */
export type Row = ChannelView | TagRow

export const isTag = (row: Row): row is TagRow => 'channels' in row

export const channelsOf = (row: Row): readonly ChannelView[] => (isTag(row) ? row.channels : [row])

/** A row's unique key: the id, or the tag with a letter as prefix. */
export const keyOf = (row: Row): string | number => (isTag(row) ? `t${row.tag ?? ''}` : row.id)

/** Whether calls may use a row: the channel is enabled, or at least one of the tag's channels is. */
export const isOn = (row: Row): boolean => channelsOf(row).some(({ status }) => status === channelStatus.enabled)

export const namesIn = (list: string): string[] => list.split(',').filter((name) => name !== '')

/** A row's distinct groups, `default` first (docs/reference/screens.md#channels). */
export function groupsOf(row: Row): string[] {
  const groups = [...new Set(channelsOf(row).flatMap(({ group }) => namesIn(group)))]
  return [...groups.filter((name) => name === 'default'), ...groups.filter((name) => name !== 'default')]
}

export const usedOf = (row: Row): number => channelsOf(row).reduce((sum, { used_quota: used }) => sum + used, 0)

/**
 * Milliseconds of the last test if it passed or its result was not recorded, else 0; for a tag, the mean of such tests.
 */
export function responseTimeOf(row: Row): number {
  const times = channelsOf(row).flatMap(({ response_time: time, test_code: code }) =>
    time > 0 && (code === 'ok' || code === '') ? [time] : [],
  )
  return times.length === 0 ? 0 : Math.round(times.reduce((sum, time) => sum + time, 0) / times.length)
}

/** A row's priority or weight; for a tag only if all channels have the same. */
export function numberOf(row: Row, field: 'priority' | 'weight'): number | undefined {
  const values = new Set(channelsOf(row).map((channel) => channel[field]))
  return values.size === 1 ? [...values][0] : undefined
}

/** Groups channels by tag, sorted by name, those without a tag last; keeps the order within a tag. */
export function byTag(channels: readonly ChannelView[]): TagRow[] {
  const tags = [...new Set(channels.map(({ tag }) => tag || null))]
  const named = tags.filter((tag) => tag !== null).sort((one, other) => (one < other ? -1 : 1))
  const ordered = named.length < tags.length ? [...named, null] : named
  return ordered.map((tag) => ({ tag, channels: channels.filter((channel) => (channel.tag || null) === tag) }))
}
