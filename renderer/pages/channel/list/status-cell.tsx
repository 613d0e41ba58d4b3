import type { Intent } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelStatus, channelStatusLabel } from '../../../../shared/enums.ts'
import { formatTime } from '../../../components/moment.ts'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { isOn, isTag, type Row } from './row.ts'

/** The state of a channel, with why and when the system disabled it; of a tag, how many of its channels are enabled. */
export function StatusCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  if (!isTag(row)) return <ChannelStatusTag channel={row} />
  const on = row.channels.filter(isOn).length
  const text = t('channel.enabledOf', { on, n: row.channels.length })
  return <StatusTag intent={on === 0 ? 'warning' : 'success'} text={text} />
}

function ChannelStatusTag({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const isAutomatic = channel.status === channelStatus.autoDisabled
  const { status_reason: reason, status_time: time } = infoOf(channel)
  const when = time > 0 ? formatTime(time) : ''
  return (
    <StatusTag
      intent={intents.get(channel.status) ?? 'none'}
      text={t(channelStatusLabel(channel.status))}
      tooltip={isAutomatic && (reason || when) ? t('channel.offSince', { reason, time: when }) : undefined}
    />
  )
}

/** Green, yellow, yellow; whatever is not listed is grey (spec/console.md §8.8). */
const intents: ReadonlyMap<number, Intent> = new Map<number, Intent>([
  [channelStatus.enabled, 'success'],
  [channelStatus.disabled, 'warning'],
  [channelStatus.autoDisabled, 'warning'],
])

/** What the system noted when it disabled a channel; unix seconds. */
const info = z.object({ status_reason: z.string().catch(''), status_time: z.number().catch(0) })

function infoOf({ other_info: text }: ChannelView): z.output<typeof info> {
  try {
    return info.parse(JSON.parse(text))
  } catch {
    return { status_reason: '', status_time: 0 }
  }
}
