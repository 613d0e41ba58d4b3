import type { Clock } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { RateTicket } from '../../limits/model-rates.ts'
import type { BodyCopy } from '../kept-bodies/call-copy.ts'
import type { FailureLog } from '../metering/failure-log.ts'
import { failureRow } from '../metering/log-row.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Attempts } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { withoutSecrets } from '../upstream/redaction.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { shown } from './error-body.ts'
import type { ShownError } from './error-shapes.ts'

/** The state of a request so far, plain, streamed or realtime; the source of a failure's log row. */
export type RequestProgress = Attempts & {
  caller?: Caller
  call?: Call
  plan?: Plan
  turn?: RateTicket | undefined
  copy?: BodyCopy | undefined
  /** The failed request was charged: the row of its charge replaces that of the failure. */
  isCharged?: boolean
}

export type FailureDeps = Readonly<{ failures: FailureLog; clock: Clock; log: Logger }>

/**
 * Records a failed request: a type-5 row if its caller and call are known, and a line in the gateway's log unless the
 * caller has left or the row was folded into earlier ones. Returns what the caller may see.
 */
export function noteFailure(
  deps: FailureDeps,
  context: RequestContext,
  progress: RequestProgress,
  error: unknown,
): ShownError {
  const { plan, channel } = progress
  const { requestId, locale } = context
  progress.turn?.fail()
  const isGone = context.cancellation.over
  const failure = shown(error, { requestId, locale, group: plan?.group ?? '', channel })
  const written = progress.isCharged
    ? 'written'
    : writeRow(deps, context, progress, isGone ? CLIENT_GONE : codeOf(failure))
  // Bodies are found by the row of their call.
  if (written !== 'written') progress.copy?.drop()
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
  context: RequestContext,
  { caller, call, plan, channel, attempts, skipped, copy }: RequestProgress,
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
  channel: RequestProgress['channel'],
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
