import type { WebSocket } from 'ws'
import { unixSeconds } from '../../../base/clock.ts'
import { isObject, type JsonObject, objectIn, parsed, textIn } from '../../../base/json/json.ts'
import { whenKnown } from '../../../base/maybe-promise.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { checkModel } from '../../admission/model-rights.ts'
import { noteFailure } from '../../failure.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import { RelayedRequest, type ReservedCall } from '../../relayed-request.ts'
import { readError, UpstreamError } from '../../upstream/upstream-error.ts'
import { closeGracefully, codeFor } from '../closing.ts'
import type { CallerSocket } from '../handshake.ts'
import { firstSession } from '../realtime/connect.ts'
import { type GreetingErrors, greeting } from '../realtime/greeting.ts'
import type { RealtimeDeps } from '../realtime/realtime.ts'
import { runSession, type SessionDialect } from '../realtime/session.ts'
import { sessionCall, sessionPlan } from '../realtime/session-call.ts'
import { refuseUpgrade } from '../refusal.ts'
import type { UpgradeRequest } from '../upgrade.ts'
import type { LiveHandles } from './handles.ts'
import { createLiveTally } from './live-tally.ts'
import { type Opening, openingOf } from './opening.ts'
import type { ContinuedSession } from './session-context.ts'

type LiveDeps = RealtimeDeps & Readonly<{ handles: LiveHandles }>

/**
 * The dialect has no error frames: errors become the reason of a close. The set-up is a part of the first prompt.
 */
const dialectFor = (opening: Opening, continued: ContinuedSession): SessionDialect => ({
  createTally(deps) {
    const tally = createLiveTally({ ...deps, ...continued })
    tally.fromCaller(opening.event())
    return tally
  },
  reportsError: ({ error }) => Boolean(error),
})

/**
 * Handles a session of Gemini's Live API (docs/reference/streams.md#live-sessions). Its model is in the first frame, so
 * the socket is opened before a channel is chosen. Never throws.
 */
export async function answerLive(deps: LiveDeps, upgrade: UpgradeRequest): Promise<void> {
  const { context } = upgrade
  const { relay } = deps
  const request = new RelayedRequest(relay, context)
  let releaseConnection = () => {}
  let client: WebSocket | undefined
  try {
    const { caller } = await request.enter(() => deps.identify(context))
    releaseConnection = deps.connections.take(caller)
    const accepted = await deps.handshake.accept(upgrade, caller.account.id)
    const { socket } = accepted
    client = socket
    socket.on('error', () => socket.terminate())
    const opening = await openingOf(accepted)
    const call = sessionCall({ format: 'gemini', endpoint: 'live', playground: false }, opening.model)
    const plan = sessionPlan(relay, request.admit(caller, call).plan)
    await relay.words.checkEvent(opening.event(), context.requestId)
    await request.withReservation(caller, { call, plan }, undefined, (reserved) =>
      runSessionOn(deps, { accepted, opening }, request, reserved),
    )
  } catch (error) {
    const { status, error: facts } = noteFailure(relay, request, error)
    if (client) closeGracefully(client, codeFor(status), facts.message)
    else await refuseUpgrade(deps.handshake, upgrade, error, { frame: (_, facts) => JSON.stringify({ error: facts }) })
  } finally {
    releaseConnection()
  }
}

async function runSessionOn(
  { relay, supervisor, identify, handles }: LiveDeps,
  { accepted, opening }: Readonly<{ accepted: CallerSocket; opening: Opening }>,
  request: RelayedRequest,
  reserved: ReservedCall,
): Promise<void> {
  const { context } = request
  const { call, plan, hold, route } = reserved
  const { upstream, early, upstreamModel, channel } = await firstSession(
    relay,
    route,
    context,
    call,
    async (socket, model, { setting }) => {
      await relay.checkReferences(opening.event(), setting)
      socket.send(opening.frameFor(model), { binary: false })
      return greeting(socket, liveErrors)
    },
  )
  request.succeed()
  relay.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  const admitted = { ...request.charged(reserved, channel.id, upstreamModel), hold }
  const recheck = () =>
    whenKnown(identify({ ...context, at: unixSeconds(relay.clock) }), (requester) =>
      checkModel(requester.caller, call.model),
    )
  const { socket: client, release } = accepted
  const accountId = reserved.caller.account.id
  const handle = handleIn(opening.event())
  const resumed = handle === undefined ? usageOf({}) : handles.contextOf(accountId, handle)
  const remember = (given: string, context: Usage) => handles.note(accountId, given, context)
  const session = { client, release, upstream, resumed, early, callersEarly: opening.early, channel, admitted, recheck }
  await runSession(relay, supervisor, { ...session, dialect: dialectFor(opening, { resumed, remember }) })
}

const handleIn = (event: JsonObject): string | undefined =>
  textIn(messageIn(messageIn(messageIn(event).setup).sessionResumption).handle) || undefined

/** Maps the vendor's close reasons to statuses. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/api key|unauthenticated|credential/i, 401],
  [/permission|denied/i, 403],
  [/quota|exhausted|rate limit/i, 429],
  [/not found|not supported for bidi/i, 404],
]
/** Close codes for an invalid frame, and for one that is not allowed (RFC 6455 §7.4.1). */
const CALLERS_FAULT = [1007, 1008]

/** Gemini refuses a session by closing, with a text reason; an `error` in the first frame is also read. */
const liveErrors: GreetingErrors = {
  errorIn(text) {
    const { error } = objectIn(parsed(text))
    if (!isObject(error)) return undefined
    const { code } = error
    return readError(typeof code === 'number' && code >= 400 && code <= 599 ? code : 502, text)
  },
  ended(code, reason) {
    if (reason === '') return new UpstreamError(502, 'the upstream closed the connection', { transport: true })
    const known = statuses.find(([pattern]) => pattern.test(reason))?.[1]
    const status = known ?? (CALLERS_FAULT.includes(code) ? 400 : 502)
    return new UpstreamError(status, reason, { body: { message: reason, code } })
  },
}
