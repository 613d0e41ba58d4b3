import { z } from 'zod'

/**
 * Codes of the result of one call to a vendor; each code has its own text with advice
 * (docs/reference/design.md#first-five-minutes).
 */
export const verdictCodes = [
  'ok',
  'bad_key',
  'bad_path',
  'no_model',
  'no_credit',
  'rate_limited',
  'timeout',
  'unreachable',
  'unreadable',
  'no_list',
  'no_tool_call',
  'failed',
] as const
export const verdict = z
  .object({
    ok: z.boolean(),
    ms: z.int().describe('Milliseconds from sending to the complete response; 0 if nothing was sent.'),
    code: z.enum(verdictCodes),
    message: z.string().describe("The provider's message, if any, without keys and addresses."),
  })
  .meta({ id: 'Verdict' })
export type Verdict = z.infer<typeof verdict>
export type VerdictCode = Verdict['code']
