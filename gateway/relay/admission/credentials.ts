import { refuse } from '../../base/errors.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { Asker } from '../relay.ts'
import type { Identities } from './identify.ts'
import { keyFrom } from './key.ts'

/** Who asks with the key of a request; throws the refusals of spec/relay.md §5.1, rows 1 to 9. */
export function askerBy(identities: Identities, context: RequestContext): Asker {
  const sent = keyFrom(context.request.headers, context.path, context.query)
  if (!sent) throw refuse('unauthenticated', 'relay.noToken', {}, { code: 'no_api_key' })
  return { caller: identities.byKey(sent.key, context.at), suffix: sent.suffix }
}
