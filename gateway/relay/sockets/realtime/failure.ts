import { GatewayError } from '../../../base/errors.ts'
import type { ModelTurn } from '../../../limits/model-rates.ts'
import type { Plan } from '../../admit.ts'
import { shown, withoutSecrets } from '../../error-body.ts'
import type { Caller } from '../../identify.ts'
import { failureRow } from '../../record.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Tried } from '../../routing/route.ts'
import type { Call } from '../../understand.ts'
import { UpstreamError } from '../../upstream-error.ts'
import type { Handshake } from '../handshake.ts'
import { refuseVisit } from '../refusal.ts'
import type { Visit } from '../visit.ts'
import { errorFrame } from './frames.ts'

/** What is known of a session that did not begin. */
export type Progress = Tried & { caller?: Caller; call?: Call; plan?: Plan; turn?: ModelTurn | undefined }

type FailureDeps = Readonly<{ relay: RelayDeps; handshake: Handshake }>

/** Tells the visitor, and writes a type-5 row where somebody is known to have asked for something. Never throws. */
export async function failSession({ relay, handshake }: FailureDeps, visit: Visit, progress: Progress, error: unknown) {
  const { arrival } = visit
  const { caller, call, plan, channel, attempts, skipped } = progress
  const { requestId, locale } = arrival
  const where = { group: plan?.group ?? '', channel }
  const told = shown(error, { requestId, locale, ...where })
  const gone = arrival.patience.over
  if (error instanceof UpstreamError)
    relay.log.warn('upstream refused', {
      requestId,
      channel: channel?.id,
      status: error.status,
      said: withoutSecrets(error.message, channel),
    })
  else if (!(error instanceof GatewayError) && !gone) relay.log.error('realtime failed', { requestId, error })
  if (caller && call && relay.settings.get('ErrorLogEnabled')) {
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
    const code = gone ? 'client_gone' : String(told.error.code || 'error')
    relay.ledger.note(
      failureRow(story, gone ? 499 : told.status, code, gone ? 'the caller hung up' : told.error.message),
    )
  }
  await refuseVisit(handshake, visit, error, { where, frame: (_, facts) => errorFrame(requestId, facts) })
}
