import { type GatewayError, refuse } from '../../../base/errors.ts'
import type { Ending } from '../../model/outcome.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { closing } from '../limits.ts'
import type { CloseReason } from '../supervisor.ts'

/** How a session ends: what the receipt says, the caller's close, and an error to be told before it. */
export type End = Readonly<{ ending: Ending; code: number; reason: string; error?: unknown }>

/** The caller has no quota left for what comes next. */
export const usedUp: End = {
  ending: 'complete',
  code: closing.policy,
  reason: 'insufficient_quota',
  error: refuse('exhausted', 'relay.userQuota', {}, { code: 'insufficient_quota' }),
}

/** The quota is used up within an answer, which is cut off. */
export const usedUpMidway: End = { ...usedUp, ending: 'quota' }

/** The caller has closed, or is gone; within an answer that is no good end. */
export const byCaller = (code: number, reason: string, isMidway: boolean): End => ({
  ending: isMidway ? 'client-gone' : 'complete',
  code: sendable(code),
  reason,
})

/** The upstream has closed with this code. */
export const byUpstream = (code: number, reason: string): End =>
  code === closing.normal || code === closing.goingAway || code === NO_CODE
    ? { ending: 'complete', code: sendable(code), reason }
    : broken

/** The caller may not go on. */
export const byRefusal = (error: GatewayError): End => ({
  ending: 'stopped',
  code: closing.policy,
  reason: error.code ?? 'refused',
  error,
})

/** A fault of ours, of which its caller gets the request id only. */
export const byFault = (error: unknown): End => ({
  ending: 'stopped',
  code: closing.fault,
  reason: 'internal_error',
  error,
})

/** The supervisor ends them. */
export const bySupervisor = (why: CloseReason, isMidway: boolean): End => ({
  ending: isMidway ? 'stopped' : 'complete',
  ...farewells[why],
})

const farewells: Readonly<Record<CloseReason, Pick<End, 'code' | 'reason'>>> = {
  idle: { code: closing.normal, reason: 'idle' },
  limit: { code: closing.normal, reason: 'session_limit' },
  shutdown: { code: closing.goingAway, reason: 'shutting_down' },
  immediate: { code: closing.goingAway, reason: 'shutting_down' },
}

const broken: End = {
  ending: 'upstream-broken',
  code: closing.fault,
  reason: 'upstream_broken',
  error: new UpstreamError(502, 'the upstream ended the session', { transport: true }),
}

/** The upstream has sent something that is no event. */
export const unreadable: End = {
  ...broken,
  error: new UpstreamError(502, 'the upstream sent an event that could not be read'),
}

/** What only a socket may say of itself: its peer's close had no code, or there was none. */
const NO_CODE = 1005
const UNSAID = [1004, NO_CODE, 1006]

/** A code that a frame may carry (RFC 6455 §7.4); any other becomes an ordinary close. */
const sendable = (code: number): number =>
  (code >= 1000 && code <= 1014 && !UNSAID.includes(code)) || (code >= 3000 && code <= 4999) ? code : closing.normal
