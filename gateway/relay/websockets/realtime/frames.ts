import type { ErrorFacts } from '../../delivery/error-shapes.ts'
import { type FailureDeps, noteFailure } from '../../failure.ts'
import type { RelayedRequest } from '../../relayed-request.ts'
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
  request: RelayedRequest,
  error: unknown,
): Promise<void> {
  const { plan, channel } = request
  noteFailure(relay, request, error)
  const frame = (_: number, facts: ErrorFacts) => errorFrame(upgrade.context.requestId, facts)
  await refuseUpgrade(handshake, upgrade, error, { where: { group: plan?.group ?? '', channel }, frame })
}
