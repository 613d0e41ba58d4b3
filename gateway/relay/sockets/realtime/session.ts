import type { WebSocket } from 'ws'
import { type GatewayError, refuse } from '../../../base/errors.ts'
import { shown } from '../../error-body.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Ending } from '../../stream.ts'
import { UpstreamError } from '../../upstream-error.ts'
import type { Keeper, Parting } from '../keeper.ts'
import { closing } from '../limits.ts'
import { bid } from '../refusal.ts'
import { type Admitted, openAccount } from './account.ts'
import { pass } from './bridge.ts'
import { errorFrame } from './frames.ts'
import { createTally } from './tally.ts'

/** Two open sockets and the account between them. */
export type Session = Readonly<{ client: WebSocket; upstream: WebSocket; admitted: Admitted; isTranscription: boolean }>

/** How a session ends: what the receipt says, the caller's close, and an error to be told before it. */
type End = Readonly<{ ending: Ending; code: number; reason: string; error?: GatewayError | UpstreamError }>

const farewells: Readonly<Record<Parting, Pick<End, 'code' | 'reason'>>> = {
  idle: { code: closing.normal, reason: 'idle' },
  limit: { code: closing.normal, reason: 'session_limit' },
  leave: { code: closing.goingAway, reason: 'shutting_down' },
  now: { code: closing.goingAway, reason: 'shutting_down' },
}

/** Runs a session until either side ends it, the quota is used up or the keeper parts it; charged once, at its end. */
export function runSession(deps: RelayDeps, keeper: Keeper, session: Session): Promise<void> {
  const { client, upstream, admitted, isTranscription } = session
  const { arrival, upstreamModel } = admitted
  const account = openAccount(deps, admitted)
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  const state = { over: false, firstByteMs: -1000, lastMs: deps.clock.monotonic() }
  const tally = createTally({
    isTranscription,
    count: (texts) => deps.counter.count(upstreamModel, texts),
    used(usage, model) {
      if (!account.add(usage, model) && !state.over) end(usedUp)
    },
  })
  const settle = async (ending: Ending) => {
    try {
      await tally.finish()
    } finally {
      account.settle(account.isEmpty() && ending === 'complete' ? 'client-gone' : ending, state.firstByteMs)
      leave()
      resolve()
    }
  }
  const end = ({ ending, code, reason, error }: End) => {
    if (state.over) return
    state.over = true
    if (error && client.readyState === client.OPEN) client.send(told(error))
    bid(client, code, reason)
    bid(upstream, closing.normal, '')
    settle(ending).catch((fault) =>
      deps.log.error('realtime session failed', { requestId: arrival.requestId, error: fault }),
    )
  }
  const told = (error: GatewayError | UpstreamError): string => {
    const { requestId, locale } = arrival
    return errorFrame(requestId, shown(error, { requestId, locale, group: admitted.plan.group }).error)
  }
  const heard = () => {
    state.lastMs = deps.clock.monotonic()
  }
  pass(client, upstream, (text) => {
    heard()
    if (text !== undefined) tally.fromCaller(text)
  })
  pass(upstream, client, (text) => {
    heard()
    if (state.firstByteMs < 0) state.firstByteMs = state.lastMs - arrival.startedMs
    if (text !== undefined) tally.fromUpstream(text)
  })
  client.on('error', () => {})
  upstream.on('error', () => {})
  client.on('close', (code, reason) => {
    const isMidway = tally.isAnswering()
    end({ ending: isMidway ? 'client-gone' : 'complete', code: sendable(code), reason: String(reason) })
  })
  upstream.on('close', (code, reason) => end(isGood(code) ? over(code, String(reason)) : broken))
  const leave = keeper.keep({
    startedMs: arrival.startedMs,
    sockets: [client, upstream],
    lastMs: () => state.lastMs,
    part(why) {
      if (state.over) return why === 'now' ? [client, upstream].forEach((socket) => void socket.terminate()) : undefined
      if (tally.isAnswering() && why === 'leave') return
      end({ ending: tally.isAnswering() ? 'stopped' : 'complete', ...farewells[why] })
    },
    checkpoint: () => account.checkpoint(state.firstByteMs),
  })
  client.resume()
  upstream.resume()
  return finished
}

const usedUp: End = {
  ending: 'complete',
  code: closing.policy,
  reason: 'insufficient_quota',
  error: refuse('exhausted', 'relay.userQuota', {}, { code: 'insufficient_quota' }),
}

const broken: End = {
  ending: 'upstream-broken',
  code: closing.fault,
  reason: 'upstream_broken',
  error: new UpstreamError(502, 'the upstream ended the session', { transport: true }),
}

const over = (code: number, reason: string): End => ({ ending: 'complete', code: sendable(code), reason })

/** Ends that say nothing went wrong: by a frame, or by a frame without a code. */
const isGood = (code: number): boolean => code === closing.normal || code === closing.goingAway || code === NO_CODE

const NO_CODE = 1005

/** Codes that a frame may carry (RFC 6455 §7.4); what only a socket may report of itself becomes an ordinary close. */
const sendable = (code: number): number =>
  (code >= 1000 && code <= 1014 && ![1004, NO_CODE, 1006].includes(code)) || (code >= 3000 && code <= 4999)
    ? code
    : closing.normal
