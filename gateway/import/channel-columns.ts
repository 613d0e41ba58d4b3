import type { NewChannel } from '../../shared/api/channel.ts'
import { channelAddress } from '../../shared/channel-address.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { channelStatus } from '../../shared/enums.ts'
import { checkTogether, columnsIn } from '../channels/admin/field-rules.ts'
import { keysFrom, keysTogether } from '../channels/registry/keys.ts'
import type { ChannelColumns, PlannedChannel } from './plan.ts'
import { type Remarks, unlessRefused } from './remarks.ts'

type RawChannel = Readonly<{
  theirId: number
  mark: string
  /** The name used in remarks. */
  label: string
  key: string
  used: number
  columns: ChannelColumns
}>

/** The key stored for channels whose provider requires none. */
const NO_KEY = 'none'
/**
 * Optional columns; if any other column is invalid, the channel is not imported, since it would be a different channel.
 */
const optionalColumns = [
  'model_mapping',
  'status_code_mapping',
  'setting',
  'param_override',
  'test_model',
  'openai_organization',
] as const

/**
 * Validates a channel of a file: invalid optional columns are dropped, with a remark. Returns undefined, with a remark,
 * if the rest is invalid: with a wrong address, the channel's key would be sent elsewhere.
 */
export function plannedChannel(raw: RawChannel, remarks: Remarks): PlannedChannel | undefined {
  const { label, theirId, mark, used } = raw
  const report = (outcome: 'left_out' | 'changed', reason: string) =>
    remarks.add({
      table: 'channels',
      row: label,
      outcome,
      key: outcome === 'changed' ? 'import.field' : 'import.channel_refused',
      params: { reason },
    })
  const { base } = channelAddress(raw.columns)
  const columns: ChannelColumns = { ...raw.columns, base_url: base }
  const optional = Object.fromEntries(
    optionalColumns.map((name) => {
      const fields = { [name]: columns[name] } as Partial<NewChannel> as NewChannel // only one field is checked
      const checked = unlessRefused(
        () => columnsIn(fields)[name],
        () => report('changed', name),
      )
      return [name, checked ?? '']
    }),
  )
  const { name, models, group, type, other, base_url } = columns
  const rest = unlessRefused(
    () => {
      const checked = columnsIn({ name, models, group, type, other, base_url } as NewChannel) // optional columns are checked above
      checkTogether({ type, other, base_url })
      return checked
    },
    ({ key, params }) => report('left_out', String(params.reason ?? key.replace('channel.', ''))),
  )
  if (!rest) return undefined
  const keys =
    unlessRefused(
      () => keysFrom(type, raw.key),
      () => report('changed', 'key'),
    ) ?? []
  const needsNone = type === channelTypes.ollama.id
  if (keys.length === 0 && !needsNone) report('changed', 'key')
  const status = keys.length === 0 && !needsNone ? channelStatus.disabled : columns.status
  return {
    theirId,
    mark,
    used,
    key: keys.length === 0 ? NO_KEY : keysTogether(type, keys),
    columns: { ...columns, ...rest, ...optional, status },
  }
}
