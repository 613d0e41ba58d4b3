import { MAX_QUOTA } from '../../shared/api/fields.ts'
import type { ImportOrigin } from '../../shared/api/import.ts'
import { channelTypeById, channelTypes } from '../../shared/channel-types.ts'
import { textIn } from '../base/json/json.ts'
import { objectOf } from '../channels/registry/active-channel.ts'
import { visibleColumns } from '../store/channels/channels.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { hasLarge, nameOf, textOf, timeOf, wholeOf } from './cells.ts'
import { plannedChannel } from './channel-columns.ts'
import type { Known } from './known.ts'
import { channelMarkOf } from './marks.ts'
import { oneApiTypes } from './one-api-types.ts'
import type { ChannelColumns, ImportTally, PlannedChannel } from './plan.ts'
import type { Remarks } from './remarks.ts'

/** The columns of channels that are read, under our names and others'; `config` and `system_prompt` are one-api's. */
export const channelColumns = [...visibleColumns, 'key', 'open_ai_organization', 'config', 'system_prompt'] as const

export type ChannelReading = Readonly<{
  source: string
  origin: ImportOrigin
  known: Known
  remarks: Remarks
  tally: ImportTally
  channels: PlannedChannel[]
  /** Marks of rows in this file, to detect duplicates. */
  seen: Set<string>
  /** Maps ids in the file to ids here, for channels that already exist. */
  mine: Map<number, number>
}>

/** Adds a channel to the plan, or counts why it is not imported. */
export function takeChannel(row: ForeignRow, reading: ChannelReading) {
  const { source, origin, known, remarks, tally, channels, seen } = reading
  const id = wholeOf(row, 'id')
  const label = nameOf(row, 'name', 100) || `#${id}`
  const mark = channelMarkOf(source, row)
  const ownId = known.marks.get(mark)?.ownId
  if (ownId !== undefined && known.channels.has(ownId)) {
    tally.known += 1
    reading.mine.set(id, ownId)
    return
  }
  const leaveOut = (key: 'import.large' | 'import.id_twice' | 'import.type', params = {}) => {
    tally.left_out += 1
    remarks.add({ table: 'channels', row: label, outcome: 'left_out', key, params })
  }
  if (hasLarge(row)) return leaveOut('import.large')
  if (seen.has(mark)) return leaveOut('import.id_twice')
  const theirType = wholeOf(row, 'type')
  const type = origin === 'one-api' ? oneApiTypes[theirType] : newApiType(theirType)
  if (!type) return leaveOut('import.type', { type: theirType })
  const { columns, key } = withConfig(columnsOf(row, label, type), textOf(row, 'key'), textOf(row, 'config'))
  const used = wholeOf(row, 'used_quota', { max: MAX_QUOTA })
  const channel = plannedChannel({ theirId: id, mark, label, key, used, columns }, remarks)
  if (channel) {
    seen.add(mark)
    tally.comes += 1
    channels.push(channel)
  } else tally.left_out += 1
}

/** new-api uses our type numbers; 0 means unset, which both gateways treat as OpenAI. */
function newApiType(type: number): { type: number; base_url: string } | undefined {
  const known = type === 0 || channelTypeById(type) !== undefined
  return known ? { type: type || channelTypes.openai.id, base_url: '' } : undefined
}

function columnsOf(row: ForeignRow, label: string, type: { type: number; base_url: string }): ChannelColumns {
  const balance = Number(row.balance ?? 0)
  const info = textOf(row, 'other_info')
  return {
    type: type.type,
    name: label,
    status: wholeOf(row, 'status', { min: 1, max: 3, fallback: 1 }),
    models: textOf(row, 'models').replaceAll('\n', ','),
    group: textOf(row, 'group').replaceAll('\n', ',') || 'default',
    base_url: textOf(row, 'base_url').trim() || type.base_url,
    other: textOf(row, 'other'),
    openai_organization: nameOf(row, 'open_ai_organization', 200) || nameOf(row, 'openai_organization', 200),
    test_model: nameOf(row, 'test_model', 255),
    model_mapping: jsonOf(row, 'model_mapping'),
    status_code_mapping: jsonOf(row, 'status_code_mapping'),
    setting: withPrompt(jsonOf(row, 'setting'), textOf(row, 'system_prompt')),
    param_override: jsonOf(row, 'param_override'),
    other_info: objectOf(info) ? info : '',
    priority: wholeOf(row, 'priority', { min: -1_000_000_000, max: 1_000_000_000 }),
    weight: wholeOf(row, 'weight', { max: 1_000_000_000 }),
    auto_ban: wholeOf(row, 'auto_ban', { max: 1, fallback: 1 }),
    tag: nameOf(row, 'tag', 100) || null,
    created_time: timeOf(row, 'created_time'),
    test_time: timeOf(row, 'test_time'),
    response_time: wholeOf(row, 'response_time'),
    balance: Number.isFinite(balance) ? balance : 0,
    balance_updated_time: timeOf(row, 'balance_updated_time'),
  }
}

/** An empty object, an empty string and a literal null count as empty. */
function jsonOf(row: ForeignRow, name: string): string {
  const text = textOf(row, name).trim()
  return ['{}', 'null', '""'].includes(text) ? '' : text
}

function withPrompt(setting: string, prompt: string): string {
  if (prompt.trim() === '') return setting
  return JSON.stringify({ ...objectOf(setting), system_prompt: prompt })
}

/**
 * Moves what one-api stores in `config` to our columns: regions, versions, ids, and the parts of an Amazon or Google
 * key.
 */
function withConfig(columns: ChannelColumns, key: string, config: string): { columns: ChannelColumns; key: string } {
  const configObject = objectOf(config)
  if (!configObject) return { columns, key }
  const part = (name: string) => textIn(configObject[name])?.trim() ?? ''
  if (columns.type === channelTypes.aws.id && part('ak') !== '')
    return { columns, key: [part('ak'), part('sk'), part('region')].join('|') }
  if (columns.type === channelTypes.vertex.id && part('vertex_ai_adc') !== '')
    return { columns: { ...columns, other: part('region') || 'global' }, key: part('vertex_ai_adc') }
  const other = columns.other || part('api_version') || part('library_id') || part('plugin') || part('user_id')
  return { columns: { ...columns, other }, key }
}
