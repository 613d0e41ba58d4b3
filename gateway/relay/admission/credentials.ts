import { refuse } from '../../base/errors.ts'
import type { Arrival } from '../model/request-context.ts'
import type { Identities } from './identify.ts'
import { keyFrom } from './key.ts'
import type { Asker } from '../relay.ts'

/** Who asks with the key of a request; throws the refusals of spec/relay.md §5.1, rows 1 to 9. */
export function askerBy(identities: Identities, arrival: Arrival): Asker {
  const sent = keyFrom(arrival.request.headers, arrival.path, arrival.query)
  if (!sent) throw refuse('unauthenticated', 'relay.noToken', {}, { code: 'no_api_key' })
  return { caller: identities.byKey(sent.key, arrival.at), suffix: sent.suffix }
}
