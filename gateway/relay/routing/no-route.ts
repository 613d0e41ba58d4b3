import { type GatewayError, refuse } from '../../base/errors.ts'
import { noChannel } from '../admission/admit.ts'
import type { Call } from '../model/call.ts'
import type { Plan } from '../model/plan.ts'
import { providerFor } from '../providers/index.ts'
import { upstreamEndpointFor } from '../upstream/upstream-endpoint.ts'

/** Why no channel was asked: none of the model's channels is of a type that offers this, or none of them can take it now. */
export function noRoute({ group, tiers, forced }: Plan, { model, endpoint }: Call): GatewayError {
  const channels = forced ? [forced] : tiers.flatMap(({ members }) => members.map(({ channel }) => channel))
  const isOffered = channels.some(
    ({ typeName }) => upstreamEndpointFor(providerFor(typeName), endpoint, '') !== undefined,
  )
  if (isOffered || channels.length === 0) return noChannel(model, group)
  return refuse('unavailable', 'relay.notOffered', { model, endpoint }, { code: 'no_available_channel' })
}
