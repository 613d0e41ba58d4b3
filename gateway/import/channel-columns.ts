import type { NewChannel } from '../../shared/api/channel.ts'
import { channelAddress } from '../../shared/channel-address.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { channelStatus } from '../../shared/enums.ts'
import { checkTogether, columnsIn } from '../channels/admin/field-rules.ts'
import { keysFrom, keysTogether } from '../channels/registry/keys.ts'
import type { ChannelColumns, PlannedChannel } from './plan.ts'
import { type Remarks, unlessRefused } from './remarks.ts'

/** A channel as it stands in the file, before the rules of channels have seen it. */
type RawChannel = Readonly<{
  theirId: number
  mark: string
  /** What it is called in remarks. */
  label: string
  key: string
  used: number
  columns: ChannelColumns
}>

/** Whoever asks no key of anybody is sent this one. */
const NO_KEY = 'none'
/** What a channel can do without; the others make it another channel, so it does not come where they are refused. */
const dispensable = [
  'model_mapping',
  'status_code_mapping',
  'setting',
  'param_override',
  'test_model',
  'openai_organization',
] as const

/**
 * Holds a channel of a file against the rules for channels: what it can do without is left out where it is refused, and
 * told. Undefined, with a remark, where nothing is left that could be called: a wrong address would send its key elsewhere.
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
    dispensable.map((name) => {
      const fields = { [name]: columns[name] } as Partial<NewChannel> as NewChannel // one field alone is checked
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
      const kept = columnsIn({ name, models, group, type, other, base_url } as NewChannel) // what is left out is checked above
      checkTogether({ type, other, base_url })
      return kept
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
