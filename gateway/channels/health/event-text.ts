import type { Run } from '../../../shared/api/channel-runs.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import type { MessageParams } from '../../../shared/messages/format.ts'

type EventText = Readonly<{ keys: readonly MessageKey[]; params: MessageParams }>

/** The messages of an event (docs/reference/channels.md#channel-events). */
export function textOfEvent(event: ChannelEvent): EventText {
  if ('run' in event) return textOfRun(event.kind, event.run)
  const { name, channelId: id, reason } = event
  if (event.kind === 'enabled') return { keys: ['channel.event_enabled'], params: { name, id } }
  if (event.kind === 'key-disabled')
    return { keys: ['channel.event_key_disabled'], params: { name, id, reason, key: event.key } }
  const models = event.lastFor.join(', ')
  const keys: MessageKey[] = ['channel.event_disabled', ...(models === '' ? [] : (['channel.event_last'] as const))]
  return { keys, params: { name, id, reason, models } }
}

/** Max names listed; the console shows all. */
const MAX_NAMES = 20

function textOfRun(kind: 'tested' | 'balances', { state, total, items }: Run): EventText {
  const failing = items.filter(({ ok }) => !ok)
  const names = failing.slice(0, MAX_NAMES).map(({ name, channel_id }) => `${name} (#${channel_id})`)
  const more = failing.length > MAX_NAMES ? ', …' : ''
  const params = {
    n: items.length,
    total,
    failed: failing.length,
    off: items.filter(({ switched }) => switched === 'off').length,
    on: items.filter(({ switched }) => switched === 'on').length,
    names: names.join(', ') + more,
  }
  const keys: MessageKey[] = [`channel.event_${kind}`]
  if (state === 'cancelled') keys.push('channel.event_cancelled')
  if (state === 'failed') keys.push('channel.event_broken')
  if (names.length > 0) keys.push('channel.event_failing')
  return { keys, params }
}

/**
 * An event that is logged for root, who is also notified of urgent ones. `lastFor` lists the models that no channel
 * offers any more; `key` is the position of a disabled key among several; `tested` and `balances` are sent at the end
 * of a run over all channels; `isScheduled` means that no user started it.
 */
export type ChannelEvent =
  | Readonly<{ kind: 'disabled'; channelId: number; name: string; reason: string; lastFor: readonly string[] }>
  | Readonly<{ kind: 'enabled'; channelId: number; name: string; reason: string }>
  | Readonly<{ kind: 'key-disabled'; channelId: number; name: string; reason: string; key: number }>
  | Readonly<{ kind: 'tested'; run: Run; isScheduled: boolean }>
  | Readonly<{ kind: 'balances'; run: Run }>
