import type { RootEvents } from '../../notify/root-events.ts'
import { channelNotice } from './channel-notices.ts'
import { type ChannelEvent, textOfEvent } from './event-text.ts'

/**
 * Reports to root what the system did to channels, so that no channel is switched silently
 * (docs/reference/channels.md#channel-events). Never throws.
 */
export const createChannelEvents =
  ({ report }: Pick<RootEvents, 'report'>) =>
  (event: ChannelEvent): Promise<void> => {
    const { keys, params } = textOfEvent(event)
    return report({
      messages: keys.map((key) => ({ key, params })),
      notice: channelNotice(event),
      ...('channelId' in event ? { channelId: event.channelId } : {}),
    })
  }
