import type { Intent } from '@blueprintjs/core'
import * as z from 'zod/mini'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelStatus, channelStatusLabel } from '../../../../shared/enums.ts'
import { formatTime } from '../../../components/date-time.ts'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { useTranslation } from '../../../translation.ts'
import { cooldownSummary } from './cooldown-summary.ts'
import { CooldownSummaryTag } from './cooldown-summary-tag.tsx'
import { isOn, isTag, type Row, type TagRow } from './row.ts'
import { useCooldownsOf } from './use-cooldowns.ts'

/**
 * A channel's effective state: enabled, cooling down in whole or in part, or disabled, with why and when the system
 * did so. For a tag, how many channels are enabled, and how many of those are cooling down.
 */
export function StatusCell({ row }: { row: Row }) {
  return isTag(row) ? <TagStatus row={row} /> : <ChannelStatus channel={row} />
}

function TagStatus({ row: { channels } }: { row: TagRow }) {
  const { t } = useTranslation()
  const on = channels.filter(isOn)
  const cooldowns = useCooldownsOf(on.map(({ id }) => id))
  const cooling = new Set(cooldowns.map(({ channel_id: id }) => id)).size
  const text = t('channel.enabledOf', { on: on.length, n: channels.length })
  return (
    <span className="status-cell">
      <StatusTag intent={on.length === 0 ? 'warning' : 'success'} text={text} />
      {cooling > 0 && <StatusTag intent="warning" text={t('cooldown.channels', { n: cooling })} />}
    </span>
  )
}

/** A channel that is cooling down as a whole is not shown as enabled, because it gets no requests. */
function ChannelStatus({ channel }: { channel: ChannelView }) {
  const cooldowns = useCooldownsOf([channel.id])
  if (!isOn(channel) || cooldowns.length === 0) return <ChannelStatusTag channel={channel} />
  return (
    <span className="status-cell">
      {!cooldownSummary(cooldowns).whole && <ChannelStatusTag channel={channel} />}
      <CooldownSummaryTag channel={channel} cooldowns={cooldowns} />
    </span>
  )
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

/** Green if enabled, yellow if disabled by a user or the system, else grey (docs/reference/screens.md#channels). */
const intents: ReadonlyMap<number, Intent> = new Map<number, Intent>([
  [channelStatus.enabled, 'success'],
  [channelStatus.disabled, 'warning'],
  [channelStatus.autoDisabled, 'warning'],
])

/** Why and when (unix seconds) the system disabled a channel. */
const info = z.object({ status_reason: z.catch(z.string(), ''), status_time: z.catch(z.number(), 0) })

function infoOf({ other_info: text }: ChannelView): z.output<typeof info> {
  try {
    return info.parse(JSON.parse(text))
  } catch {
    return { status_reason: '', status_time: 0 }
  }
}
