import { GatewayError } from '../../../base/errors.ts'
import type { ModelTurn } from '../../../limits/model-rates.ts'
import { shown, withoutSecrets } from '../../delivery/error-body.ts'
import { failureRow } from '../../metering/log-row.ts'
import type { Call } from '../../model/call.ts'
import type { Caller } from '../../model/caller.ts'
import type { Tried } from '../../model/outcome.ts'
import type { Plan } from '../../model/plan.ts'
import type { RelayDeps } from '../../relay.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Handshake } from '../handshake.ts'
import { refuseUpgrade } from '../refusal.ts'
import type { UpgradeRequest } from '../upgrade.ts'
import { errorFrame } from './frames.ts'

/** What is known of a session that did not begin. */
export type SessionProgress = Tried & { caller?: Caller; call?: Call; plan?: Plan; turn?: ModelTurn | undefined }

type FailureDeps = Readonly<{ relay: RelayDeps; handshake: Handshake }>

/** Tells the visitor, and writes a type-5 row where somebody is known to have asked for something. Never throws. */
export async function failSession(
  { relay, handshake }: FailureDeps,
  upgrade: UpgradeRequest,
  progress: SessionProgress,
  error: unknown,
) {
  const { context } = upgrade
  const { plan, channel } = progress
  const { requestId, locale } = context
  const where = { group: plan?.group ?? '', channel }
  const told = shown(error, { requestId, locale, ...where })
  const gone = context.cancellation.over
  const failure = gone
    ? { status: 499, code: 'client_gone', message: 'the caller hung up' }
    : { status: told.status, code: String(told.error.code || 'error'), message: told.error.message }
  if (!isFolded(relay, upgrade, progress, failure)) {
    if (error instanceof UpstreamError)
      relay.log.warn('upstream refused', {
        requestId,
        channel: channel?.id,
        status: error.status,
        said: withoutSecrets(error.message, channel),
      })
    else if (!(error instanceof GatewayError) && !gone) relay.log.error('realtime failed', { requestId, error })
  }
  await refuseUpgrade(handshake, upgrade, error, { where, frame: (_, facts) => errorFrame(requestId, facts) })
}

type Failure = Readonly<{ status: number; code: string; message: string }>

/** Writes the row down where somebody is known; true where it was folded into those of failures like it. */
function isFolded(
  relay: RelayDeps,
  { context }: UpgradeRequest,
  { caller, call, plan, channel, attempts, skipped }: SessionProgress,
  { status, code, message }: Failure,
): boolean {
  if (!caller || !call) return false
  const logContext = {
    context,
    caller,
    call,
    group: plan?.group ?? caller.tokenGroup,
    attempts,
    skipped,
    channelId: channel?.id ?? 0,
    upstreamModel: '',
    firstByteMs: -1000,
    tookMs: relay.clock.monotonic() - context.startedMs,
  }
  return !relay.failures.note(failureRow(logContext, status, code, message), code)
}
