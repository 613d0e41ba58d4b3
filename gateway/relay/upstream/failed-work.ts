import { usageOf } from '../../billing/usage.ts'
import { reasoningIn } from '../metering/silence.ts'
import type { Plan } from '../model/plan.ts'
import { isDependency, UpstreamError } from './upstream-error.ts'

/** A failure of a vendor within this time is taken for one before its work. */
const MIN_WORK_MS = 15_000
/** OpenAI's message for an MCP server that could not be reached at the beginning. */
const NOT_LISTED = /retrieving tool list/i

/**
 * The error of a call that is billed because a server that the request names may have received output before it: for
 * the prompt, and 50 tokens per second (docs/reference/billing.md#servers-of-callers). Other errors are returned as they
 * are.
 */
export function billedIfServed(error: unknown, { expected }: Plan, tookMs: number): unknown {
  if (!expected.callsServers || !(error instanceof UpstreamError) || error.isBilled || error.usage) return error
  const { transport, vendorStatus, message } = error
  const isLate = (transport || vendorStatus >= 500) && tookMs >= MIN_WORK_MS
  if (!isLate && !(isDependency(error) && !NOT_LISTED.test(message))) return error
  const completion = Math.min(expected.output, reasoningIn(tookMs))
  return error.withUsage(usageOf({ prompt: expected.prompt, completion, source: 'estimated' }), true)
}
