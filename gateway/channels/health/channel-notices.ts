import { channelStatus } from '../../../shared/enums.ts'
import type { Notice } from '../../notify/notice.ts'
import { type ChannelEvent, textOfEvent } from './event-text.ts'

const MAX_REASON_LENGTH = 500
/** The figures of a run, in the order of a notice's machine-readable values. */
const countNames = ['total', 'n', 'failed', 'off', 'on'] as const

/**
 * The notice root is sent by mail or webhook (docs/reference/channels.md#channel-events): a channel switched by the
 * system, or the end of a manual test of all channels. Other events are only logged.
 */
export function channelNotice(event: ChannelEvent): Notice | undefined {
  const { keys, params } = textOfEvent(event)
  if (event.kind === 'tested' && !event.isScheduled)
    return {
      type: 'channel_test',
      subject: 'mail.test_done_subject',
      body: ['mail.test_done', ...keys],
      params,
      values: countNames.map((name) => String(params[name])),
    }
  if (event.kind !== 'disabled' && event.kind !== 'enabled') return undefined
  const { name, channelId: id } = event
  const reason = shortened(event.reason)
  const status = event.kind === 'enabled' ? channelStatus.enabled : channelStatus.autoDisabled
  return {
    type: `channel_update_${id}_${status}`,
    params: { ...params, reason },
    values: [name, String(id), reason],
    ...(event.kind === 'enabled'
      ? { subject: 'mail.channel_on_subject', body: ['mail.channel_on'] }
      : { subject: 'mail.channel_off_subject', body: ['mail.channel_off', ...keys.slice(1)] }),
  }
}

const shortened = (text: string): string =>
  text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text
