import { unixSeconds } from '../../../base/clock.ts'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import { type ClientSecrets, isSecret, type SecretGrant } from '../../admission/client-secrets.ts'
import { keyFrom } from '../../admission/credentials.ts'
import { checkModel } from '../../admission/model-rights.ts'
import type { Caller, Requester } from '../../model/caller.ts'
import type { RequestContext } from '../../model/request-context.ts'
import type { RelayDeps } from '../../relay.ts'
import { RelayedRequest, type ReservedCall } from '../../relayed-request.ts'
import type { ConnectionLimits } from '../connection-limits.ts'
import type { Handshake } from '../handshake.ts'
import type { SocketSupervisor } from '../supervisor.ts'
import type { UpgradeRequest } from '../upgrade.ts'
import { firstSession } from './connect.ts'
import { failSession } from './frames.ts'
import { greeting } from './greeting.ts'
import { openAiSession, runSession } from './session.ts'
import { callOf, grantedQuery, isTranscription, sessionPlan, setUpEvent } from './session-call.ts'

/** `identify` throws the refusals of docs/reference/errors.md#refusals. */
export type RealtimeDeps = Readonly<{
  relay: RelayDeps
  identify: (context: RequestContext) => MaybePromise<Requester>
  /** The caller whose key has this hash; throws the same refusals. */
  byHash: (keyHash: string, nowSeconds: number) => MaybePromise<Caller>
  clientSecrets: ClientSecrets
  handshake: Handshake
  connections: ConnectionLimits
  supervisor: SocketSupervisor
}>

/**
 * Handles `GET /v1/realtime` (docs/reference/streams.md#realtime-sessions): the checks of every request, the
 * reservation, a channel that accepts the session, the upgrade, and then frames in both directions until it ends. Never
 * throws.
 */
export async function answerRealtime(deps: RealtimeDeps, received: UpgradeRequest): Promise<void> {
  let upgrade = received
  const request = new RelayedRequest(deps.relay, received.context)
  let releaseConnection = () => {}
  try {
    const grant = grantOf(deps, received.context)
    const identify = (at: number) => askerOf(deps, { ...received.context, at }, grant)
    const { caller } = await request.enter(() => identify(received.context.at))
    if (grant) upgrade = { ...received, context: granted(received.context, grant) }
    const call = callOf(upgrade.context.query)
    const plan = sessionPlan(deps.relay, request.admit(caller, call).plan)
    releaseConnection = deps.connections.take(caller)
    await request.withReservation(caller, { call, plan }, undefined, (reserved) =>
      runSessionOn(deps, { upgrade, request, setUp: grant && setUpEvent(grant), identify }, reserved),
    )
  } catch (error) {
    await failSession(deps, upgrade, request, error)
  } finally {
    releaseConnection()
  }
}

/** The grant of a request's client secret; undefined for a request with a key. */
function grantOf({ clientSecrets }: RealtimeDeps, { request, path, query }: RequestContext): SecretGrant | undefined {
  const key = keyFrom(request.headers, path, query)?.key ?? ''
  if (!isSecret(key)) return undefined
  const grant = clientSecrets.grantOf(key)
  if (!grant) throw badSecret()
  return grant
}

/**
 * The caller; for a secret, the token that created it, which must still be valid even if the secret has expired since.
 */
const askerOf = (
  deps: RealtimeDeps,
  context: RequestContext,
  grant: SecretGrant | undefined,
): MaybePromise<Requester> => (grant ? grantedAsker(deps, grant, context.at) : deps.identify(context))

async function grantedAsker({ byHash }: RealtimeDeps, { keyHash }: SecretGrant, at: number): Promise<Requester> {
  try {
    return { caller: await byHash(keyHash, at), suffix: null }
  } catch (error) {
    throw error instanceof GatewayError && error.key === 'relay.badToken' ? badSecret() : error
  }
}

const badSecret = (): GatewayError => refuse('unauthenticated', 'relay.badSecret', {}, { code: 'invalid_api_key' })

const granted = (context: RequestContext, grant: SecretGrant): RequestContext => ({
  ...context,
  query: grantedQuery(context.query, grant),
})

/** An admitted session; `setUp` is the first message to the upstream. */
type Admitted = Readonly<{
  upgrade: UpgradeRequest
  request: RelayedRequest
  setUp: string | undefined
  identify: (at: number) => MaybePromise<Requester>
}>

async function runSessionOn(
  deps: RealtimeDeps,
  { upgrade, request, setUp, identify }: Admitted,
  reserved: ReservedCall,
): Promise<void> {
  const { relay } = deps
  const { context } = upgrade
  const { caller, call, plan, hold, route } = reserved
  const { upstream, early, upstreamModel, channel } = await firstSession(relay, route, context, call, (socket) =>
    greeting(socket),
  )
  const { socket: client, release } = await deps.handshake.accept(upgrade, caller.account.id).catch((cause) => {
    upstream.terminate()
    throw cause
  })
  request.succeed()
  relay.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  const admitted = { ...request.charged(reserved, channel.id, upstreamModel), context, hold }
  const recheck = () =>
    whenKnown(identify(unixSeconds(relay.clock)), (requester) => checkModel(requester.caller, call.model))
  const callersEarly = () => (setUp === undefined ? [] : [{ data: Buffer.from(setUp), isBinary: false }])
  const session = { client, release, upstream, early, callersEarly, channel, admitted, recheck }
  await runSession(relay, deps.supervisor, { ...session, dialect: openAiSession(isTranscription(context.query)) })
}
