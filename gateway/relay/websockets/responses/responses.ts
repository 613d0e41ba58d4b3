import { GatewayError } from '../../../base/errors.ts'
import { admitCaller } from '../../admission/admit.ts'
import type { Handshake } from '../handshake.ts'
import type { Places } from '../connection-limits.ts'
import { refuseVisit } from '../refusal.ts'
import type { Visit } from '../upgrade.ts'
import { type ConversationDeps, converse } from './conversation.ts'
import { errorFrame } from './frames.ts'

export type ResponsesDeps = ConversationDeps & Readonly<{ handshake: Handshake; places: Places }>

/**
 * `GET /v1/responses` as a socket (OpenAI's guide "WebSocket mode"): the checks that need no request, a place, the
 * upgrade, and turns until it closes. Never throws.
 */
export async function answerResponses(deps: ResponsesDeps, visit: Visit): Promise<void> {
  const { arrival } = visit
  let leavePlace = () => {}
  try {
    const { caller, suffix } = deps.identify(arrival)
    admitCaller(deps.relay, caller, arrival, suffix)
    leavePlace = deps.places.take(caller.account.id)
    await converse(deps, arrival, await deps.handshake.accept(visit))
  } catch (error) {
    if (!(error instanceof GatewayError) && !arrival.patience.over)
      deps.relay.log.error('a visit failed', { requestId: arrival.requestId, error })
    await refuseVisit(deps.handshake, visit, error, { frame: errorFrame })
  } finally {
    leavePlace()
  }
}
