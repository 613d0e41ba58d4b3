import { unixSeconds } from '../../../base/clock.ts'
import { admitCall, admitCaller } from '../../admission/admit.ts'
import type { Arrival } from '../../model/request-context.ts'
import { enterGate } from '../../admission/rate-gate.ts'
import type { Asker, RelayDeps } from '../../relay.ts'
import { reserve } from '../../admission/reservation.ts'
import { Route } from '../../routing/route.ts'
import type { Handshake } from '../handshake.ts'
import type { Keeper } from '../supervisor.ts'
import type { Places } from '../connection-limits.ts'
import type { Visit } from '../upgrade.ts'
import type { Admitted } from './account.ts'
import { firstSession } from './connect.ts'
import { failSession, type Progress } from './failure.ts'
import { runSession } from './session.ts'
import { callOf, isTranscription } from './session-call.ts'
import { sessionPlan } from './session-plan.ts'

/** What sessions are made of; `identify` throws the refusals of spec/relay.md §5.1, rows 1 to 9. */
export type RealtimeDeps = Readonly<{
  relay: RelayDeps
  identify: (arrival: Arrival) => Asker
  handshake: Handshake
  places: Places
  keeper: Keeper
}>

/**
 * The whole life of `GET /v1/realtime` (spec/relay.md §1.2, §7.5): the checks of every request, quota set aside, a
 * channel that takes the session, the upgrade, and then frames both ways until it ends. Never throws.
 */
export async function answerRealtime(deps: RealtimeDeps, visit: Visit): Promise<void> {
  const { arrival } = visit
  const progress: Progress = { attempts: [], skipped: [] }
  let leavePlace = () => {}
  try {
    const { caller, suffix } = deps.identify(arrival)
    progress.caller = caller
    admitCaller(deps.relay, caller, arrival, suffix)
    progress.turn = enterGate(deps.relay, caller)
    const call = callOf(arrival.query)
    progress.call = call
    const plan = sessionPlan(deps.relay, admitCall(deps.relay, caller, call, suffix))
    progress.plan = plan
    leavePlace = deps.places.take(caller.account.id)
    if (caller.limits?.isReady === false) await caller.limits.prepare()
    const hold = reserve(deps.relay, arrival, caller, plan)
    const route = new Route(deps.relay, call, plan, progress, undefined)
    try {
      caller.limits?.admit()
      await live(deps, visit, { caller, call, plan, hold }, progress, route)
    } finally {
      route.end()
      hold.release()
    }
  } catch (error) {
    progress.turn?.fail()
    await failSession(deps, visit, progress, error)
  } finally {
    leavePlace()
  }
}

/** An admitted session, from the first channel that takes it to its end. */
async function live(
  deps: RealtimeDeps,
  visit: Visit,
  admission: Pick<Admitted, 'caller' | 'call' | 'plan' | 'hold'>,
  progress: Progress,
  route: Route,
): Promise<void> {
  const { arrival } = visit
  const { relay } = deps
  const { call, plan } = admission
  const { upstream, early, upstreamModel, channel } = await firstSession(relay, route, arrival, call)
  const client = await deps.handshake.accept(visit).catch((cause) => {
    upstream.terminate()
    throw cause
  })
  progress.turn?.succeed()
  relay.seen.note(channel.id, plan.group, arrival.userAgent, arrival.at)
  const { attempts, skipped } = progress
  const admitted = { ...admission, arrival, attempts, skipped, channelId: channel.id, upstreamModel }
  const recheck = () => void deps.identify({ ...arrival, at: unixSeconds(relay.clock) })
  const session = { client, upstream, early, channel, admitted, recheck }
  await runSession(relay, deps.keeper, { ...session, isTranscription: isTranscription(arrival.query) })
}
