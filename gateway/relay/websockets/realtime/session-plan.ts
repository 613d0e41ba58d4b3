import { type AdmitDeps, amountsOf } from '../../admission/admit.ts'
import type { Plan } from '../../model/plan.ts'

/** Less than this of an answer is none, in tokens. */
const LEAST_OUTPUT = 16

/**
 * The plan of a session: set aside is one answer, heard and said, and again with each that follows. The least of it is
 * PreConsumedQuota of tokens, and never nothing (spec/relay.md §6.2 "realtime").
 */
export function sessionPlan(deps: Pick<AdmitDeps, 'settings'>, admitted: Plan): Plan {
  const { expected, price } = admitted
  const work = { realtime: true, possible: { hears: true, speaks: true } }
  const least = deps.settings.get('PreConsumedQuota')
  const session = { ...expected, prompt: least, mostPrompt: least, leastOutput: least > 0 ? 0 : LEAST_OUTPUT }
  const { hold } = amountsOf(deps, session, price, work)
  const plain = amountsOf(deps, session, price, { realtime: true })
  return { ...admitted, expected: session, work, hold, least: Math.min(hold, plain.least) }
}
