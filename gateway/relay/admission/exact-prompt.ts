import type { Hold } from '../../billing/ledger.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { RelayDeps } from '../relay.ts'
import { promptOf, promptSize } from '../tokens/prompt-size.ts'
import { amountsOf } from './admit.ts'
import { reserve } from './reservation.ts'

/**
 * A reservation that is less than the call may cost, with its prompt measured: by the model's own tokenizer where that is
 * known. Refuses, with nothing set aside, where what is left does not pay for that and the shortest of answers.
 */
export async function measured(
  deps: RelayDeps,
  context: RequestContext,
  caller: Caller,
  call: Call,
  { plan, hold }: Readonly<{ plan: Plan; hold: Hold }>,
): Promise<Readonly<{ plan: Plan; hold: Hold }>> {
  if (call.input !== null || plan.price.fixed !== null) return { plan, hold }
  const tokens = await sizeOf(deps, call).catch((error) => {
    hold.release()
    throw error
  })
  if (tokens <= plan.expected.prompt) return { plan, hold }
  const expected = { ...plan.expected, prompt: tokens }
  const { least } = amountsOf(deps, expected, plan.price, plan.work)
  const exact = { ...plan, expected, least }
  if (hold.quota >= least) return { plan: exact, hold }
  hold.release()
  return { plan: exact, hold: reserve(deps, context, caller, exact) }
}

async function sizeOf(deps: RelayDeps, call: Call): Promise<number> {
  const { texts, extra } = promptOf(deps, call)
  const { tokens, source } = await deps.counter.count(call.model, texts)
  return source === 'counted' ? tokens + extra : promptSize(deps, call)
}
