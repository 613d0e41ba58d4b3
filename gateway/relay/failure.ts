import type { Clock } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import type { Logger } from '../base/log/logger.ts'
import { shown } from './delivery/error-body.ts'
import type { ShownError } from './delivery/error-shapes.ts'
import type { FailureLog } from './metering/failure-log.ts'
import { failureRow } from './metering/log-row.ts'
import type { RequestContext } from './model/request-context.ts'
import type { RelayedRequest } from './relayed-request.ts'
import { withoutSecrets } from './upstream/redaction.ts'
import { UpstreamError } from './upstream/upstream-error.ts'

export type FailureDeps = Readonly<{ failures: FailureLog; clock: Clock; log: Logger }>

/**
 * Records a failed request: a type-5 row if its caller and call are known and it was not charged; and, for an internal
 * fault or a vendor error, a line in the gateway's log unless the caller has left or the row was folded into earlier
 * ones. Returns what the caller may see.
 */
export function noteFailure(deps: FailureDeps, request: RelayedRequest, error: unknown): ShownError {
  const { context, plan, channel } = request
  const { requestId, locale } = context
  request.fail()
  const isGone = context.cancellation.over
  const failure = shown(error, { requestId, locale, group: plan?.group ?? '', channel })
  const written = request.isCharged ? 'written' : writeRow(deps, request, isGone ? CLIENT_GONE : codeOf(failure))
  // Bodies are only found through the row of their call.
  if (written !== 'written') request.copy?.drop()
  const isFolded = written === 'folded'
  if (!isGone && !isFolded) logFailure(deps, context, channel, error)
  return failure
}

type FailureFacts = Readonly<{ status: number; code: string; message: string }>

const CLIENT_GONE: FailureFacts = { status: 499, code: 'client_gone', message: 'the client disconnected' }

const codeOf = ({ status, error: { code, message } }: ShownError): FailureFacts => ({
  status,
  code: String(code || 'error'),
  message,
})

function writeRow(
  { failures, clock }: FailureDeps,
  { context, caller, call, plan, channel, attempts, skipped, copy }: RelayedRequest,
  { status, code, message }: FailureFacts,
): 'written' | 'folded' | 'nobody' {
  if (!caller || !call) return 'nobody'
  const facts = {
    context,
    caller,
    call,
    group: plan?.group ?? caller.tokenGroup,
    attempts,
    skipped,
    channelId: channel?.id ?? 0,
    upstreamModel: '',
    firstByteMs: -1000,
    tookMs: clock.monotonic() - context.startedMs,
    ...(copy ? { isKept: true } : {}),
  }
  return failures.note(failureRow(facts, status, code, message), code) ? 'written' : 'folded'
}

/** Logs internal faults and vendor errors, but not mistakes of the caller. */
function logFailure(
  { log }: FailureDeps,
  { requestId }: RequestContext,
  channel: RelayedRequest['channel'],
  error: unknown,
): void {
  if (error instanceof UpstreamError)
    log.warn('upstream refused', {
      requestId,
      channel: channel?.id,
      status: error.status,
      said: withoutSecrets(error.message, channel),
    })
  else if (!(error instanceof GatewayError)) log.error('relay failed', { requestId, error })
}
