import { keptBodies as calls, type KeptCallView, type ReplayedCall } from '../../../shared/api/kept-bodies.ts'
import { channelStatus, role } from '../../../shared/enums.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import type { MessageParams } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { managerRow } from '../../audit/log-rows.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'
import { wildcardOf } from '../../channels/registry/model-name.ts'
import type { KeptBodies } from '../../relay/kept-bodies/kept-bodies.ts'
import type { KeptCall } from '../../relay/kept-bodies/sealed-bodies.ts'
import type { Replays } from '../../relay/replays/replays.ts'
import type { Settings } from '../../settings/settings.ts'
import { logStore } from '../../store/log/logs.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'

type KeptBodiesApiDeps = Readonly<{
  keptBodies: KeptBodies
  replays: Replays
  registry: Pick<ChannelRegistry, 'channel'>
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  auditLog: AuditLog
  settings: Pick<Settings, 'get'>
  clock: Clock
}>

/**
 * Viewing, deleting and replaying stored bodies (docs/reference/bodies.md#viewers). Views and replays are logged before
 * they are done, deletions afterwards. Calls of others appear not to exist unless the actor may see them.
 */
export function keptBodiesApi({
  keptBodies,
  replays,
  registry,
  auditLog,
  ledger,
  settings,
  ...deps
}: KeptBodiesApiDeps) {
  const note = async (by: Actor, { locale }: ApiCaller, message: MessageKey, params: MessageParams, facts: object) => {
    auditLog.record(managerRow({ ...by, locale }, message, deps.clock, params, facts))
    await ledger.flush()
  }
  const seesAll = ({ role: actorRole }: Actor): boolean =>
    actorRole >= (settings.get('KeepBodiesViewers') === 'root' ? role.root : role.admin)
  const requireSight = (actor: Actor) => {
    if (!seesAll(actor)) throw refuse('forbidden', 'bodies.not_allowed')
  }
  const requireOwner = async (actor: Actor, requestId: string): Promise<number> => {
    if (settings.get('KeepBodiesViewers') !== 'owner') requireSight(actor)
    const owner = await keptBodies.ownerOf(requestId)
    if (owner === undefined || (owner !== actor.id && !seesAll(actor))) throw refuse('missing', 'bodies.none')
    return owner
  }
  const requireCall = async (requestId: string): Promise<KeptCall> => {
    const call = await keptBodies.find(requestId)
    if (!call) throw refuse('missing', 'bodies.none')
    return call
  }
  return serve(calls, {
    report: ({ caller }) => keptBodies.report(caller.gone),
    removeAll: async ({ actor, caller }) => {
      requireSight(actor)
      const n = await keptBodies.removeAll()
      await note(actor, caller, 'log.bodies_cleared', { n }, { bodies: { removed: n } })
      return n
    },
    read: async ({ params: { request_id: id }, actor, caller }) => {
      const user = await requireOwner(actor, id)
      const call = await requireCall(id)
      await note(actor, caller, 'log.bodies_seen', { id, user }, { bodies: { request_id: id, user } })
      const lastsSeconds = settings.get('KeepBodiesHours') * 3600
      const expires_at = call.created_at + lastsSeconds
      return { ...shown(call), expires_at, can_replay: actor.role >= role.admin && isRepeatable(call) }
    },
    remove: async ({ params: { request_id: id }, actor, caller }) => {
      const user = await requireOwner(actor, id)
      await keptBodies.remove(id)
      await note(actor, caller, 'log.bodies_removed', { id, user }, { bodies: { request_id: id, user } })
      return null
    },
    replay: async ({ params: { request_id: id }, body: { channel_id }, actor, caller }) => {
      requireSight(actor)
      const call = await requireCall(id)
      if (!isRepeatable(call)) throw refuse('invalid', 'bodies.not_whole')
      const channel = requireChannel(registry.channel(channel_id), call.model)
      const facts = { bodies: { request_id: id, user: call.user_id, channel: channel.id } }
      await note(actor, caller, 'log.bodies_replayed', { id, channel: channel.id, name: channel.name }, facts)
      const { ip, gone } = caller
      const outcome = await replays.replay({ call, channelId: channel.id, accountId: actor.id, ip, gone })
      await ledger.flush()
      return replayed(outcome, channel.id, await figuresOf(deps.reader, outcome.requestId, caller))
    },
  })
}

const shown = ({ is_stream, ...call }: KeptCall): Omit<KeptCallView, 'expires_at' | 'can_replay'> => ({
  ...call,
  is_stream: is_stream === 1,
})

const isRepeatable = ({ request }: KeptCall): boolean => request.state === 'whole' && request.text !== ''

/** An enabled channel that offers the model; throws like the relay if it is missing or disabled. */
function requireChannel(channel: ActiveChannel | undefined, model: string): ActiveChannel {
  if (!channel) throw refuse('invalid', 'relay.badChannel')
  if (channel.status !== channelStatus.enabled) throw refuse('invalid', 'relay.channelDisabled')
  if (!channel.models.includes(model) && !channel.models.includes(wildcardOf(model) ?? model))
    throw refuse('invalid', 'bodies.channel_model', { channel: channel.name, model })
  return channel
}

type Figures = Pick<ReplayedCall, 'prompt_tokens' | 'completion_tokens' | 'quota'>

async function figuresOf(reader: Pick<Reader, 'until'>, requestId: string, caller: ApiCaller): Promise<Figures> {
  const [row] = await logStore(reader.until(caller)).page({ request_id: requestId }, { limit: 1, offset: 0 })
  if (!row) return { prompt_tokens: null, completion_tokens: null, quota: null }
  const { prompt_tokens, completion_tokens, quota } = row
  return { prompt_tokens, completion_tokens, quota }
}

const replayed = (
  { requestId, status, durationMs, answer }: Awaited<ReturnType<Replays['replay']>>,
  channel_id: number,
  figures: Figures,
): ReplayedCall => ({ request_id: requestId, channel_id, status, duration_ms: durationMs, answer, ...figures })
