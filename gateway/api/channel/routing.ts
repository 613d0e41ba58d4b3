import { routing } from '../../../shared/api/routing.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { cooldownView } from '../../channels/admin/key-editor.ts'
import type { Channels } from '../../channels/channels.ts'
import { reasonIn } from '../../channels/health/status-transitions.ts'
import type { Relay } from '../../relay/create.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type Served, serve } from '../serve.ts'

type RoutingDeps = Readonly<{
  db: Db
  channels: Pick<Channels, 'cooldowns' | 'keys' | 'registry'>
  relay: Pick<Relay, 'explain'>
  clock: Clock
}>

/** How requests are routed to channels (docs/reference/selection.md#order, docs/reference/selection.md#cooldowns). */
export const routingApi = ({ db, channels, relay, clock }: RoutingDeps): Served[] =>
  serve(routing, {
    cooldowns: () =>
      channels.cooldowns
        .list()
        .map((cooldown) => ({ ...cooldownView(cooldown), channel_id: cooldown.channelId, key_id: cooldown.keyId })),
    clearCooldowns: ({ params }) => {
      channels.cooldowns.clear(params.id)
      return null
    },
    keys: ({ params }) => channels.keys.list(params.id),
    addKeys: ({ params, body }) => channels.keys.add(params.id, body.keys),
    switchKey: ({ params, body }) => channels.keys.switch(params.id, params.key, body.status).then(nothing),
    removeKey: ({ params }) => channels.keys.remove(params.id, params.key).then(nothing),
    explain: async ({ body, actor, caller }) => {
      const explanation = await relay.explain(body, actor.id, unixSeconds(clock))
      if (!explanation) throw refuse('unauthenticated', 'auth.none')
      const { refusal, off, ...cooldown } = explanation
      return {
        ...cooldown,
        refusal_code: refusal?.code ?? '',
        refusal: refusal ? formatMessage(caller.locale, refusal.key, refusal.params) : '',
        off: await Promise.all(
          off.map(async ({ id, name, status }) => ({
            channel_id: id,
            name,
            status,
            reason: reasonIn((await channelStore(db).visibleById(id))?.other_info ?? ''),
          })),
        ),
      }
    },
  })

const nothing = () => null
