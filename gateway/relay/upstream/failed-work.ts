import { type Usage, usageOf } from '../../billing/usage.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { outputInError } from '../metering/output-in-errors.ts'
import { reasoningIn } from '../metering/silence.ts'
import type { Plan } from '../model/plan.ts'
import { isDependency, isOverflow, UpstreamError } from './upstream-error.ts'

type FailedCall = Readonly<{ channel: ActiveChannel; plan: Plan; tookMs: number }>

/**
 * The error of a call that its vendor bills although it failed (docs/reference/billing.md#billed-errors): it is charged,
 * and no other channel is tried. Other errors are returned as they are.
 */
export function billedFailure(error: unknown, call: FailedCall): unknown {
  if (!(error instanceof UpstreamError) || error.isBilled || error.usage) return error
  if (isBilledByAzure(error, call.channel) || outputOf(error) !== undefined) return error.billedFor(undefined)
  const usage = servedUsage(error, call)
  return usage ? error.billedFor(usage) : error
}

/** Errors that Azure bills: of its filter and of the input limit, and time-outs (Microsoft, "Manage costs"). */
function isBilledByAzure(error: UpstreamError, { typeName, baseUrl }: ActiveChannel): boolean {
  if (typeName !== 'azure' && !AZURE.test(baseUrl)) return false
  const { vendorStatus, code } = error
  return vendorStatus === 408 || (vendorStatus === 400 && (code === 'content_filter' || isOverflow(error)))
}

const AZURE = /^https:\/\/[^/?#]{1,200}\.azure\.com(?:[/?#:]|$)/i

/** The output that an error quotes, if its vendor bills it. */
export const outputOf = ({ body, message }: UpstreamError): string | undefined => outputInError({ ...body, message })

/** A vendor's failure within this time counts as one before its work. */
const MIN_WORK_MS = 15_000
/** OpenAI's message for an MCP server that could not be reached at the beginning. */
const NOT_LISTED = /retrieving tool list/i

/**
 * The usage of a failed call if a server that the request names may have received output before
 * (docs/reference/billing.md#servers-of-callers).
 */
function servedUsage(error: UpstreamError, { plan: { expected }, tookMs }: FailedCall): Usage | undefined {
  if (!expected.callsServers) return undefined
  const { transport, vendorStatus, message } = error
  const isLate = tookMs >= MIN_WORK_MS
  const isFailure = transport || vendorStatus >= 500 || vendorStatus === 400 || isDependency(error)
  if (!isFailure || !(isLate || (isDependency(error) && !NOT_LISTED.test(message)))) return undefined
  const prompt = isLate ? expected.maxPrompt : expected.prompt
  const completion = Math.min(expected.output, reasoningIn(tookMs))
  return usageOf({ prompt, completion, source: 'estimated' })
}
