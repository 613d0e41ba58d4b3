import type { Run } from '../../../shared/api/channel-runs.ts'
import { logType, role } from '../../../shared/enums.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Logger } from '../../base/logger.ts'
import type { Db } from '../../store/database.ts'
import type { NewLog } from '../../store/schema.ts'
import { userStore } from '../../store/users.ts'

/**
 * What root is told of. `lastFor` are the models that no channel offers any more; `key` is the place of one key of
 * several that was switched off; `tested` and `balances` end a run over all channels.
 */
export type ChannelEvent =
  | Readonly<{ kind: 'disabled'; channelId: number; name: string; reason: string; lastFor: readonly string[] }>
  | Readonly<{ kind: 'enabled'; channelId: number; name: string; reason: string }>
  | Readonly<{ kind: 'key-disabled'; channelId: number; name: string; reason: string; key: number }>
  | Readonly<{ kind: 'tested' | 'balances'; run: Run }>

export type ChannelEventsDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  /** Queues a log row. */
  note: (row: NewLog) => void
}>

/**
 * Writes what the system has done to channels into root's log, so that nothing is switched in silence
 * (docs/reference/channels.md#channel-events). Never throws.
 */
export const createChannelEvents =
  ({ db, clock, log, note }: ChannelEventsDeps) =>
  async (event: ChannelEvent): Promise<void> => {
    try {
      const [root] = await userStore(db).withRole(role.root)
      if (!root) return
      note({
        user_id: root.id,
        username: root.username,
        created_at: unixSeconds(clock),
        type: logType.system,
        ...('channelId' in event ? { channel_id: event.channelId } : {}),
        content: wordsOf(event),
      })
    } catch (error) {
      log.error('news of a channel could not be written', { kind: event.kind, error })
    }
  }

/** Rows of the log are kept in English, as all of them are. */
function wordsOf(event: ChannelEvent): string {
  if ('run' in event) return wordsOfRun(event.kind, event.run)
  const { name, channelId: id, reason } = event
  if (event.kind === 'enabled') return formatMessage('en', 'channel.event_enabled', { name, id })
  if (event.kind === 'key-disabled')
    return formatMessage('en', 'channel.event_key_disabled', { name, id, reason, key: event.key })
  const sentence = formatMessage('en', 'channel.event_disabled', { name, id, reason })
  const models = event.lastFor.join(', ')
  return models === '' ? sentence : `${sentence} ${formatMessage('en', 'channel.event_last', { models })}`
}

/** Names told one by one; the console has them all. */
const MAX_NAMES = 20

function wordsOfRun(kind: 'tested' | 'balances', { state, total, items }: Run): string {
  const failing = items.filter(({ ok }) => !ok)
  const counts = {
    n: items.length,
    total,
    failed: failing.length,
    off: items.filter(({ switched }) => switched === 'off').length,
    on: items.filter(({ switched }) => switched === 'on').length,
  }
  const names = failing.slice(0, MAX_NAMES).map(({ name, channel_id }) => `${name} (#${channel_id})`)
  const more = failing.length > MAX_NAMES ? ', …' : ''
  return [
    formatMessage('en', `channel.event_${kind}`, counts),
    state === 'cancelled' ? formatMessage('en', 'channel.event_cancelled') : '',
    state === 'failed' ? formatMessage('en', 'channel.event_broken') : '',
    names.length > 0 ? formatMessage('en', 'channel.event_failing', { names: names.join(', ') + more }) : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
