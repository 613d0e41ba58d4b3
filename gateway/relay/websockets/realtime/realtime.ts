import { unixSeconds } from '../../../base/clock.ts'
import type { MaybePromise } from '../../../base/maybe-promise.ts'
import { admitCall } from '../../admission/admit.ts'
import type { RequestProgress } from '../../delivery/failure.ts'
import { type AdmittedCall, enter, type HeldCall, withHold } from '../../life-cycle.ts'
import type { Asker } from '../../model/caller.ts'
import type { RequestContext } from '../../model/request-context.ts'
import type { RelayDeps } from '../../relay.ts'
import type { ConnectionLimits } from '../connection-limits.ts'
import type { Handshake } from '../handshake.ts'
import type { SocketSupervisor } from '../supervisor.ts'
import type { UpgradeRequest } from '../upgrade.ts'
import { firstSession } from './connect.ts'
import { failSession } from './frames.ts'
import { runSession } from './session.ts'
import { callOf, isTranscription, sessionPlan } from './session-call.ts'

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
    const { caller, suffix } = await enter(deps.relay, context, () => deps.identify(context), progress)
    const call = callOf(context.query)
    progress.call = call
    const plan = sessionPlan(deps.relay, admitCall(deps.relay, caller, call, suffix))
    progress.plan = plan
    releaseConnection = deps.connections.take(caller.account.id)
    const admitted = { context, caller, call, plan, progress, conversationKey: undefined }
    await withHold(deps.relay, admitted, (held) => runHeld(deps, upgrade, admitted, held))
  } catch (error) {
    await failSession(deps, upgrade, progress, error)
  } finally {
    releaseConnection()
  }
}

/** From the first channel that takes the session to its end. */
async function runHeld(
  deps: RealtimeDeps,
  upgrade: UpgradeRequest,
  { context, caller, progress }: AdmittedCall,
  { call, plan, hold, route }: HeldCall,
): Promise<void> {
  const { relay } = deps
  const { upstream, early, upstreamModel, channel } = await firstSession(relay, route, context, call)
  const client = await deps.handshake.accept(upgrade).catch((cause) => {
    upstream.terminate()
    throw cause
  })
  progress.turn?.succeed()
  relay.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  const { attempts, skipped } = progress
  const admitted = { context, caller, call, plan, hold, attempts, skipped, channelId: channel.id, upstreamModel }
  const recheck = () => deps.identify({ ...context, at: unixSeconds(relay.clock) })
  const session = { client, upstream, early, channel, admitted, recheck }
  await runSession(relay, deps.supervisor, { ...session, isTranscription: isTranscription(context.query) })
}
