import { channelMany } from '../../../shared/api/channel-many.ts'
import type { Channels } from '../../channels/channels.ts'
import type { ReadActivity } from '../../channels/health/channel-activity.ts'
import { type Served, serve } from '../serve.ts'

/** The activity of channels (docs/reference/channels.md#activity), and changes of several at once. */
export const channelManyApi = ({ changeMany }: Pick<Channels, 'changeMany'>, activity: ReadActivity): Served[] =>
  serve(channelMany, {
    activity: ({ body }) => activity(body.ids),
    change: ({ body, actor, caller }) =>
      changeMany(body, { id: actor.id, username: actor.username, locale: caller.locale }),
  })
