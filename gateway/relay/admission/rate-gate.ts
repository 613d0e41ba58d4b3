import type { ModelRates, ModelTurn } from '../../limits/model-rates.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'

/** The limit of model requests, where it is asked for. */
export type GateDeps = Readonly<{ modelRates: ModelRates }>

/** Counts a request for its user, under the group of its token or else its own (spec/relay.md §7.2); throws when it is one too many. */
export const enterGate = ({ modelRates }: GateDeps, { account, tokenGroup }: Caller): ModelTurn | undefined =>
  modelRates.enter(account.id, tokenGroup || account.group)

/** The request context whose answer warns of budgets that are nearly used up, as they stood before this request was charged. */
export function warned(context: RequestContext, { limits }: Caller): RequestContext {
  const warning = limits?.warning()
  if (warning === undefined) return context
  return { ...context, head: { ...context.head, 'x-switchyard-budget': warning } }
}
