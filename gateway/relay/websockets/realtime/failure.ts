import { GatewayError } from '../../../base/errors.ts'
import type { ModelTurn } from '../../../limits/model-rates.ts'
import type { Plan } from '../../admission/admit.ts'
import { shown, withoutSecrets } from '../../delivery/error-body.ts'
import type { Caller } from '../../admission/identify.ts'
import { failureRow } from '../../metering/log-row.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Tried } from '../../routing/route.ts'
import type { Call } from '../../intake/parse.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Handshake } from '../handshake.ts'
import { refuseVisit } from '../refusal.ts'
import type { Visit } from '../upgrade.ts'
import { errorFrame } from './frames.ts'

/** What is known of a session that did not begin. */
export type Progress = Tried & { caller?: Caller; call?: Call; plan?: Plan; turn?: ModelTurn | undefined }

type FailureDeps = Readonly<{ relay: RelayDeps; handshake: Handshake }>

/** Tells the visitor, and writes a type-5 row where somebody is known to have asked for something. Never throws. */
export async function failSession({ relay, handshake }: FailureDeps, visit: Visit, progress: Progress, error: unknown) {
  const { arrival } = visit
  const { plan, channel } = progress
  const { requestId, locale } = arrival
  const where = { group: plan?.group ?? '', channel }
  const told = shown(error, { requestId, locale, ...where })
  const gone = arrival.patience.over
  const failure = gone
    ? { status: 499, code: 'client_gone', message: 'the caller hung up' }
    : { status: told.status, code: String(told.error.code || 'error'), message: told.error.message }
  if (!isFolded(relay, visit, progress, failure)) {
    if (error instanceof UpstreamError)
      relay.log.warn('upstream refused', {
        requestId,
        channel: channel?.id,
        status: error.status,
        said: withoutSecrets(error.message, channel),
      })
    else if (!(error instanceof GatewayError) && !gone) relay.log.error('realtime failed', { requestId, error })
  }
  await refuseVisit(handshake, visit, error, { where, frame: (_, facts) => errorFrame(requestId, facts) })
}

type Failure = Readonly<{ status: number; code: string; message: string }>

/** Writes the row down where somebody is known; true where it was folded into those of failures like it. */
function isFolded(
  relay: RelayDeps,
  { arrival }: Visit,
  { caller, call, plan, channel, attempts, skipped }: Progress,
  { status, code, message }: Failure,
): boolean {
  if (!caller || !call) return false
  const story = {
    arrival,
    caller,
    call,
    group: plan?.group ?? caller.tokenGroup,
    attempts,
    skipped,
    channelId: channel?.id ?? 0,
    upstreamModel: '',
    firstByteMs: -1000,
    tookMs: relay.clock.monotonic() - arrival.startedMs,
  }
  return !relay.failures.note(failureRow(story, status, code, message), code)
}
