import { type GatewayError, refuse } from '../../../base/errors.ts'
import type { Ending } from '../../model/outcome.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { closing } from '../closing.ts'
import type { CloseReason } from '../supervisor.ts'

/**
 * How a session ends: the receipt's ending, the close sent to the caller, an error to send before it, and whether the
 * caller caused it, so that the upstream is read on (docs/reference/streams.md#callers-that-leave).
 */
export type End = Readonly<{ ending: Ending; code: number; reason: string; error?: unknown; readsOn?: boolean }>

export const usedUp: End = {
  ending: 'complete',
  code: closing.policy,
  reason: 'insufficient_quota',
  error: refuse('exhausted', 'relay.userQuota', {}, { code: 'insufficient_quota' }),
}

export const usedUpMidway: End = { ...usedUp, ending: 'quota' }

/** The caller closed or disconnected; during a response, that is not a regular end. */
export const byCaller = (code: number, reason: string, isMidway: boolean): End => ({
  ending: isMidway ? 'client-gone' : 'complete',
  code: sendable(code),
  reason,
  readsOn: true,
})

export const byUpstream = (code: number, reason: string): End =>
  code === closing.normal || code === closing.goingAway || code === NO_CODE
    ? { ending: 'complete', code: sendable(code), reason }
    : broken

export const byRefusal = (error: GatewayError): End => ({
  ending: 'stopped',
  code: closing.policy,
  reason: error.code ?? 'refused',
  error,
  readsOn: true,
})

/** An internal error; the caller only gets the request id. */
export const byFault = (error: unknown): End => ({
  ending: 'stopped',
  code: closing.fault,
  reason: 'internal_error',
  error,
})

export const bySupervisor = (why: CloseReason, isMidway: boolean): End => ({
  ending: isMidway ? 'stopped' : 'complete',
  ...closeMessages[why],
})

const closeMessages: Readonly<Record<CloseReason, Pick<End, 'code' | 'reason'>>> = {
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

export const unreadable: End = {
  ...broken,
  error: new UpstreamError(502, 'the upstream sent an event that could not be read'),
}

/** Codes that are never sent: 1004 is reserved, 1005 means a close without a code, and 1006 no close at all. */
const NO_CODE = 1005
const UNSENDABLE = [1004, NO_CODE, 1006]

/** A code that a frame may carry (RFC 6455 §7.4); any other becomes a normal close. */
const sendable = (code: number): number =>
  (code >= 1000 && code <= 1014 && !UNSENDABLE.includes(code)) || (code >= 3000 && code <= 4999) ? code : closing.normal
