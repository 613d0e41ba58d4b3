import { GatewayError } from '../../../base/errors.ts'
import { admitCaller } from '../../admission/admit.ts'
import type { ConnectionLimits } from '../connection-limits.ts'
import type { Handshake } from '../handshake.ts'
import { refuseUpgrade } from '../refusal.ts'
import type { UpgradeRequest } from '../upgrade.ts'
import { errorFrame } from './frames.ts'
import type { TurnMemory } from './memory.ts'
import { type ConversationDeps, converse } from './socket-loop.ts'

type ResponsesDeps = Omit<ConversationDeps, 'memory' | 'outputMemory'> &
  Readonly<{ memory: TurnMemory; handshake: Handshake; connections: ConnectionLimits }>

/**
 * `GET /v1/responses` as a socket (OpenAI's guide "WebSocket mode"): runs the checks that need no request, takes a
 * slot, upgrades, and handles turns until the socket closes. Never throws.
 */
export async function answerResponses(deps: ResponsesDeps, upgrade: UpgradeRequest): Promise<void> {
  const { context } = upgrade
  let releaseConnection = () => {}
  try {
    const found = deps.identify(context)
    const { caller, suffix } = found instanceof Promise ? await found : found
    admitCaller(deps.relay, caller, context, suffix)
    releaseConnection = deps.connections.take(caller)
    const memory = deps.memory.forSocket(caller.account.id)
    const outputMemory = deps.relay.responseMemory.shareFor(context.owner, caller.account.id)
    await converse({ ...deps, memory, outputMemory }, context, await deps.handshake.accept(upgrade, caller.account.id))
  } catch (error) {
    if (!(error instanceof GatewayError) && !context.cancellation.over)
      deps.relay.log.error('a visit failed', { requestId: context.requestId, error })
    await refuseUpgrade(deps.handshake, upgrade, error, { frame: errorFrame })
  } finally {
    releaseConnection()
  }
}
