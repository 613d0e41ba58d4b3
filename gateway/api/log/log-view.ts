import type { LogView } from '../../../shared/api/log.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../base/json/json.ts'
import { contentIn } from '../../base/localized-message.ts'
import type { LogRow } from '../../store/schema/schema.ts'

/** A row for administrators, with the current name of its channel (empty if deleted). */
export const adminView = (row: LogRow, channelNames: ReadonlyMap<number, string>, locale: Locale): LogView => ({
  ...shown(row, locale),
  channel: row.channel_id,
  channel_name: channelNames.get(row.channel_id) ?? '',
})

/**
 * A row for its own user: without channel and `other.admin_info`, and with its position in the list as id, so that it
 * reveals neither routing nor the traffic of others (docs/reference/logs.md#views).
 */
export const ownView = (row: LogRow, index: number, locale: Locale): LogView => ({
  ...shown(row, locale),
  id: index,
  channel: 0,
  channel_name: '',
  other: withoutAdminInfo(row.other),
})

/** The ids of the channels in rows: those that served, and those that were tried or skipped before. */
export function channelsIn(rows: readonly LogRow[]): number[] {
  const ids = new Set(rows.map((row) => row.channel_id))
  for (const { other } of rows) {
    const { tried, skipped } = objectIn(objectInText(other)?.admin_info)
    for (const { channel } of [...objectsIn(tried), ...objectsIn(skipped)]) ids.add(Number(channel))
  }
  return [...ids].filter(Number.isSafeInteger)
}

function shown({ channel_id: _channel, request_id: _request, retries: _retries, ...row }: LogRow, locale: Locale) {
  return { ...row, content: contentIn(locale, row), is_stream: row.is_stream === 1 }
}

/** Text that is not a JSON object may contain anything, so it is not shown. */
function withoutAdminInfo(other: string): string {
  const receipt = objectInText(other)
  if (!receipt) return ''
  const { admin_info: _, ...rest } = receipt
  return JSON.stringify(rest)
}

function objectInText(text: string): JsonObject | undefined {
  const value = text.startsWith('{') ? parsed(text) : undefined
  return isObject(value) ? value : undefined
}
