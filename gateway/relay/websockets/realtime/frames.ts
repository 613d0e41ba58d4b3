import type { ErrorFacts } from '../../delivery/error-shapes.ts'
import { type FailureDeps, noteFailure, type RequestProgress } from '../../delivery/failure.ts'
import type { Handshake } from '../handshake.ts'
import { refuseUpgrade } from '../refusal.ts'
import type { UpgradeRequest } from '../upgrade.ts'

/** An error as an event of a realtime session (docs/reference/errors.md#error-shapes). */
export const errorFrame = (requestId: string, { message, type, param, code }: ErrorFacts): string =>
  JSON.stringify({
    type: 'error',
    event_id: `evt_${requestId}`,
    error: { type, code: code === '' ? null : code, message, param: param === '' ? null : param },
  })

/** Reports and records a session that did not start. Never throws. */
export async function failSession(
  { relay, handshake }: Readonly<{ relay: FailureDeps; handshake: Handshake }>,
  upgrade: UpgradeRequest,
  progress: RequestProgress,
  error: unknown,
): Promise<void> {
  const { context } = upgrade
  noteFailure(relay, context, progress, error)
  const where = { group: progress.plan?.group ?? '', channel: progress.channel }
  await refuseUpgrade(handshake, upgrade, error, { where, frame: (_, facts) => errorFrame(context.requestId, facts) })
}
