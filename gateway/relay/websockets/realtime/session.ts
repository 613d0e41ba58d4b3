import type { WebSocket } from 'ws'
import { dataUrlIn } from '../../../base/bytes/data-url.ts'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { isObject, type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import { paidSearches } from '../../../billing/tool-prices.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import type { WordGuard } from '../../content-filter/word-guard.ts'
import { shown } from '../../delivery/error-body.ts'
import type { ErrorFacts } from '../../delivery/error-shapes.ts'
import type { MediaPart } from '../../formats/conversation.ts'
import { MAX_ERROR_LENGTH } from '../../metering/usage-tap.ts'
import type { Ending } from '../../model/outcome.ts'
import type { Owner } from '../../model/request-context.ts'
import type { RelayDeps } from '../../relay.ts'
import { MAX_MEASURED_IMAGES } from '../../tokenizer/prompt-size.ts'
import { scrubbed, withoutKnown } from '../../upstream/redaction.ts'
import { type Outflow, readOn } from '../../upstream/socket-wire.ts'
import { closeGracefully, closing, MAX_BAD_FRAMES, TOO_MANY_BAD } from '../closing.ts'
import { frameJson, looksLikeJson, upstreamJson } from '../frame-json.ts'
import type { CallerSocket } from '../handshake.ts'
import type { CloseReason, SocketSupervisor } from '../supervisor.ts'
import {
  byCaller,
  byFault,
  byRefusal,
  bySupervisor,
  byUpstream,
  type End,
  unreadable,
  usedUp,
  usedUpMidway,
} from './endings.ts'
import { countedOutflow, type Listener, pipeFrames } from './frame-pipe.ts'
import { errorFrame } from './frames.ts'
import type { Early, Frame } from './greeting.ts'
import type { InputMeasure } from './pending.ts'
import { openSessionMeter, type SessionMeter } from './session-meter.ts'
import { modelAdmission, type ReservedSession } from './session-parts.ts'
import { createTally, type Tally, type TallyDeps } from './tally.ts'

type Session = Readonly<{
  client: WebSocket
  release: CallerSocket['release']
  upstream: WebSocket
  /** The last known prompt of a resumed session. */
  resumed?: Usage | undefined
  early: Early
  callersEarly: Early
  channel: ActiveChannel
  admitted: ReservedSession
  dialect: SessionDialect
  /** Throws, or rejects, once the caller has lost access. */
  recheck: () => MaybePromise<unknown>
}>

export type SessionDialect = Readonly<{
  createTally: (deps: TallyDeps) => Tally
  /** An error as a frame; absent if the dialect only has closes. */
  errorFrame?: (requestId: string, error: ErrorFacts) => string
  reportsError: (event: JsonObject) => boolean
}>

export const openAiSession = (isTranscription: boolean): SessionDialect => ({
  createTally: (deps) => createTally({ ...deps, isTranscription }),
  errorFrame,
  reportsError,
})

/**
 * `firstByteMs` is since the request, `lastMs` the time of the last frame in either direction, `bad` the number of
 * consecutive bad frames. `left` is set while the upstream is read on after its caller has left.
 */
type SessionProgress = {
  over: boolean
  left: Readonly<{ how: End; atMs: number }> | undefined
  firstByteMs: number
  lastMs: number
  bad: number
}

/** Runs a session until either side ends it, the quota runs out or the supervisor ends it; charged once, at its end. */
export function runSession(deps: RelayDeps, supervisor: SocketSupervisor, session: Session): Promise<void> {
  const { client, upstream, admitted, dialect } = session
  const { context, upstreamModel } = admitted
  const account = openSessionMeter(deps, admitted, session.resumed)
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  const startMs = deps.clock.monotonic()
  const progress: SessionProgress = { over: false, left: undefined, firstByteMs: -1000, lastMs: startMs, bad: 0 }
  const tally = dialect.createTally({
    count: (texts) => deps.counter.count(admitted.caller.account.id, upstreamModel, texts),
    imageTokens: imageMeasure((image) => deps.imageSize(upstreamModel, image)),
    now: () => deps.clock.monotonic(),
    reasons: admitted.plan.expected.hasHiddenReasoning,
    paidSearches: (searches) => paidSearches(admitted.plan.price.model, searches),
    used(usage, model) {
      if (!account.add(usage, model)) end(usedUp)
    },
    admit: modelAdmission(deps, admitted),
    refused: (error) => end(byRefusal(error)),
    failed: (error) => deps.log.error('realtime usage failed', { requestId: context.requestId, error }),
  })
  const end = (how: End) => {
    if (progress.over || (how.readsOn && progress.left)) return
    if (how.readsOn && upstream.readyState === upstream.OPEN && tally.isAwaited()) {
      progress.left = { how, atMs: deps.clock.monotonic() }
      closeClient(session, how)
      readOn(upstream)
      return
    }
    progress.over = true
    const final = progress.left?.how ?? how
    closeClient(session, final)
    closeGracefully(upstream, closing.normal, '')
    settle(tally, account, final.ending, progress)
      .catch((error) => deps.log.error('realtime session failed', { requestId: context.requestId, error }))
      .finally(() => {
        leave()
        resolve()
      })
  }
  const leave = supervisor.keep({
    startedMs: context.startedMs,
    sockets: [client, upstream],
    lastMs: () => progress.lastMs,
    leftMs: () => progress.left?.atMs,
    end: (why) => endSession(session, why, !progress.left && tally.isAnswering(), end),
    checkpoint() {
      account.checkpoint(progress.firstByteMs)
      return recheck(session, end)
    },
  })
  client.on('close', (code, reason) => end(byCaller(code, String(reason), tally.isAnswering())))
  upstream.on('close', (code, reason) => end(byUpstream(code, withoutKnown(String(reason), session.channel))))
  connect(deps, session, tally, progress, end, {
    prompt() {
      const isPaid = progress.over || account.affords(tally.unreadTokens())
      if (!isPaid) end(usedUp)
      return isPaid
    },
    answer() {
      const isPaid = progress.over || account.covers(tally.underWay(), tally.transcribing())
      if (!isPaid) end(usedUpMidway)
      return isPaid
    },
  })
  if (client.readyState !== client.OPEN) end(byCaller(ABNORMAL, '', false))
  else if (upstream.readyState !== upstream.OPEN) end(byUpstream(ABNORMAL, ''))
  return finished
}

/**
 * Measures the images of a session; an image given by URL is not fetched, and images beyond a limit are measured in the
 * same way.
 */
function imageMeasure(sizeOf: (image: MediaPart) => number): InputMeasure['imageTokens'] {
  let left = MAX_MEASURED_IMAGES
  return (url, detail) => {
    const found = left > 0 ? dataUrlIn(textIn(url) ?? '', 'image/png') : undefined
    left -= 1
    const source: MediaPart['source'] = found ? { type: 'data', ...found } : { type: 'url', url: '' }
    return sizeOf({ type: 'media', kind: 'image', source, detail: textIn(detail) })
  }
}

/** Whether the next prompt, and the response so far, can be paid for; ends the session if not. */
type Payable = Readonly<{ prompt: () => boolean; answer: () => boolean }>

/** Reported for a close without a frame (RFC 6455 §7.4.1). */
const ABNORMAL = 1006

/**
 * Passes frames in both directions through the tally; masks the channel's secrets in errors. Drops invalid events, and
 * those of a response that has ended.
 */
function connect(
  { clock, words, log, bodies }: RelayDeps,
  session: Session,
  tally: Tally,
  progress: SessionProgress,
  end: (how: End) => void,
  canPay: Payable,
): void {
  const { client, upstream, admitted, channel, early, callersEarly, dialect } = session
  const memoryOf = (socket: WebSocket) => bodies.shareFor(ownerOf(socket), admitted.caller.account.id)
  const toClient = countedOutflow(client, memoryOf(client), () => {
    readOn(upstream)
    readOnClient()
  })
  const toUpstream = countedOutflow(upstream, memoryOf(upstream), () => readOnClient())
  const isHeldBack = () => toUpstream.isFull() || toClient.isFull()
  const readOnClient = () => {
    if (!isHeldBack() && !callers.isWaiting()) readOn(client)
  }
  const { requestId } = admitted.context
  const failed = (error: unknown) => {
    if (error instanceof GatewayError) return end({ ...byRefusal(error), code: closing.later })
    log.error('a frame failed', { requestId, error })
    end(byFault(error))
  }
  const fromCaller: Listener = (frame) => {
    progress.lastMs = clock.monotonic()
    if (progress.left) return null
    return whenKnown(refusalOf(words, requestId, frame, tally), (refusal) => {
      if (progress.left) return null
      progress.bad = refusal ? progress.bad + 1 : 0
      if (!refusal) return canPay.prompt() ? undefined : null
      reportRefused(session, refusal, toClient, progress.bad >= MAX_BAD_FRAMES, end)
      if (toClient.isFull()) client.pause()
      return null
    })
  }
  const fromUpstream: Listener = ({ data, isBinary }) => {
    progress.lastMs = clock.monotonic()
    if (progress.firstByteMs < 0) progress.firstByteMs = progress.lastMs - admitted.context.startedMs
    return whenKnown(upstreamJson(data), (event) => {
      if (progress.over) return null
      if (isBinary && !isObject(event) && !looksLikeJson(data)) return undefined
      if (!isObject(event) || (dialect.reportsError(event) && data.length > MAX_ERROR_LENGTH)) {
        end(unreadable)
        return null
      }
      if (!tally.fromUpstream(event) || !canPay.answer()) return null
      if (progress.left) {
        if (!tally.isAwaited()) end({ ...progress.left.how, readsOn: false })
        return null
      }
      return dialect.reportsError(event) ? scrubbed(data.toString(), channel) : undefined
    })
  }
  const received = { from: client, to: toUpstream, early: callersEarly(), isHeldBack, release: session.release }
  const callers = pipeFrames(received, fromCaller, failed)
  const isClientFull = () => !progress.left && toClient.isFull()
  const read = { ...toClient, isOpen: () => !progress.over, isFull: isClientFull }
  pipeFrames({ from: upstream, to: read, early: early(), isHeldBack: isClientFull }, fromUpstream, failed)
  client.resume()
  upstream.resume()
}

const ownerOf = (socket: WebSocket): Owner => ({
  get closed() {
    return socket.readyState === socket.CLOSED
  },
  once: (event, listener) => socket.once(event, listener),
})

/** Whether an event is an error, or the end of a failed response or transcription. */
const reportsError = ({ type, error, response }: JsonObject): boolean =>
  type === 'error' || Boolean(error ?? objectIn(objectIn(response).status_details).error ?? objectIn(response).error)

/**
 * Why a caller's frame is dropped: it is not an event (a vendor might read one that this gateway cannot), or has a
 * blocked word, exceeds a limit or names a model that may not be used.
 */
function refusalOf(
  words: WordGuard,
  requestId: string,
  { data, isBinary }: Frame,
  tally: Tally,
): MaybePromise<GatewayError | undefined> {
  const refused = (error: unknown): GatewayError => {
    if (!(error instanceof GatewayError)) throw error
    return error
  }
  try {
    const reading = whenKnown(frameJson(data), (event) => {
      if (!isObject(event)) {
        if (isBinary && !looksLikeJson(data)) return undefined
        throw refuse('invalid', 'relay.socketFrame', {}, { code: 'invalid_frame' })
      }
      return whenKnown(words.checkEvent(event, requestId), () => {
        tally.fromCaller(event)
        return undefined
      })
    })
    return reading instanceof Promise ? reading.catch(refused) : reading
  } catch (error) {
    return refused(error)
  }
}

/**
 * Reports a dropped event. The session continues if its dialect has error frames, unless this was the last of too many
 * bad frames; else it ends (docs/reference/limits.md#blocked-words, docs/reference/limits.md#sockets).
 */
function reportRefused(
  { admitted, dialect }: Session,
  error: GatewayError,
  toClient: Outflow,
  isLast: boolean,
  end: (how: End) => void,
): void {
  const { requestId, locale } = admitted.context
  if (!dialect.errorFrame) end(byRefusal(error))
  else if (isLast) end({ ...byRefusal(error), reason: TOO_MANY_BAD })
  else toClient.send(dialect.errorFrame(requestId, shown(error, { requestId, locale }).error))
}

/** Ends the session if its token or account has lost access. */
function recheck(session: Session, end: (how: End) => void): MaybePromise<unknown> {
  const refused = (error: unknown) => {
    if (!(error instanceof GatewayError)) throw error
    end(byRefusal(error))
  }
  try {
    const found = session.recheck()
    return found instanceof Promise ? found.catch(refused) : undefined
  } catch (error) {
    return refused(error)
  }
}

/** On a shutdown, lets the active response finish first; all other reasons end the session immediately. */
function endSession({ client, upstream }: Session, why: CloseReason, isMidway: boolean, end: (how: End) => void): void {
  if (why === 'shutdown' && isMidway) return
  end(bySupervisor(why, isMidway))
  if (why !== 'immediate') return
  client.terminate()
  upstream.terminate()
}

/** Reports the error, if any, and closes the caller's socket. */
function closeClient({ client, admitted, dialect }: Session, { code, reason, error }: End): void {
  const { requestId, locale } = admitted.context
  if (error && dialect.errorFrame && client.readyState === client.OPEN)
    client.send(dialect.errorFrame(requestId, shown(error, { requestId, locale, group: admitted.plan.group }).error))
  closeGracefully(client, code, reason)
}

/** Charges once everything is counted; a regular end without any usage is recorded as a caller that left. */
async function settle(
  tally: Tally,
  account: SessionMeter,
  ending: Ending,
  { firstByteMs, left }: SessionProgress,
): Promise<void> {
  try {
    await tally.finish(ending, left !== undefined)
  } finally {
    const settled = account.settle(account.isEmpty() && ending === 'complete' ? 'client-gone' : ending, firstByteMs)
    if (settled instanceof Promise) await settled
  }
}
