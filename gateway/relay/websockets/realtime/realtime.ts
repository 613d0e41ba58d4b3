import { unixSeconds } from '../../../base/clock.ts'
import type { MaybePromise } from '../../../base/maybe-promise.ts'
import { admitCall, admitCaller } from '../../admission/admit.ts'
import { enterGate } from '../../admission/credentials.ts'
import { reserve } from '../../admission/reservation.ts'
import type { RequestProgress } from '../../delivery/failure.ts'
import type { Asker } from '../../model/caller.ts'
import type { RequestContext } from '../../model/request-context.ts'
import type { RelayDeps } from '../../relay.ts'
import { Route } from '../../routing/route.ts'
import type { ConnectionLimits } from '../connection-limits.ts'
import type { Handshake } from '../handshake.ts'
import type { SocketSupervisor } from '../supervisor.ts'
import type { UpgradeRequest } from '../upgrade.ts'
import { firstSession } from './connect.ts'
import { failSession } from './frames.ts'
import { runSession } from './session.ts'
import { callOf, isTranscription, sessionPlan } from './session-call.ts'
import type { Admitted } from './session-meter.ts'

/** What sessions are made of; `identify` throws the refusals of docs/reference/errors.md#refusals. */
export type RealtimeDeps = Readonly<{
  relay: RelayDeps
  identify: (context: RequestContext) => MaybePromise<Asker>
  handshake: Handshake
  connections: ConnectionLimits
  supervisor: SocketSupervisor
}>

/**
 * The whole life of `GET /v1/realtime` (docs/reference/streams.md#realtime-sessions): the checks of every request,
 * quota set aside, a channel that takes the session, the upgrade, and then frames both ways until it ends. Never
 * throws.
 */
export async function answerRealtime(deps: RealtimeDeps, upgrade: UpgradeRequest): Promise<void> {
  const { context } = upgrade
  const progress: RequestProgress = { attempts: [], skipped: [] }
  let releaseConnection = () => {}
  try {
    const found = deps.identify(context)
    const { caller, suffix } = found instanceof Promise ? await found : found
    progress.caller = caller
    admitCaller(deps.relay, caller, context, suffix)
    const turn = enterGate(deps.relay, caller)
    progress.turn = turn instanceof Promise ? await turn : turn
    const call = callOf(context.query)
    progress.call = call
    const plan = sessionPlan(deps.relay, admitCall(deps.relay, caller, call, suffix))
    progress.plan = plan
    releaseConnection = deps.connections.take(caller.account.id)
    if (caller.limits?.isReady === false) await caller.limits.prepare()
    const held = reserve(deps.relay, context, caller, plan)
    const hold = held instanceof Promise ? await held : held
    const route = new Route(deps.relay, call, plan, progress, undefined)
    try {
      const admitted = caller.limits?.admit()
      if (admitted instanceof Promise) await admitted
      await runAdmitted(deps, upgrade, { caller, call, plan, hold }, progress, route)
    } finally {
      route.end()
      hold.release()
    }
  } catch (error) {
    await failSession(deps, upgrade, progress, error)
  } finally {
    releaseConnection()
  }
}

/** An admitted session, from the first channel that takes it to its end. */
async function runAdmitted(
  deps: RealtimeDeps,
  upgrade: UpgradeRequest,
  admission: Pick<Admitted, 'caller' | 'call' | 'plan' | 'hold'>,
  progress: RequestProgress,
  route: Route,
): Promise<void> {
  const { context } = upgrade
  const { relay } = deps
  const { call, plan } = admission
  const { upstream, early, upstreamModel, channel } = await firstSession(relay, route, context, call)
  const client = await deps.handshake.accept(upgrade).catch((cause) => {
    upstream.terminate()
    throw cause
  })
  progress.turn?.succeed()
  relay.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  const { attempts, skipped } = progress
  const admitted = { ...admission, context, attempts, skipped, channelId: channel.id, upstreamModel }
  const recheck = () => deps.identify({ ...context, at: unixSeconds(relay.clock) })
  const session = { client, upstream, early, channel, admitted, recheck }
  await runSession(relay, deps.supervisor, { ...session, isTranscription: isTranscription(context.query) })
}
