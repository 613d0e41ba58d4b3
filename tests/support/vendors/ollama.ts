import { z } from 'zod'
import type { Recorded } from '../upstream.ts'
import { assistant, chatFaults, common, messageWith, openaiChat } from './openai-chat.ts'
import { otherFaultsIn, rule, unknownMembers, type Vendor } from './vendor.ts'

const request = z.strictObject({
  ...common,
  /** Said so, nothing is lost: that is what it does. */
  parallel_tool_calls: z.literal(true).nullish(),
  messages: z.array(messageWith(assistant.extend({ reasoning: z.string().optional() }))).min(1),
  reasoning_effort: z.enum(['none', 'low', 'medium', 'high', 'max']).nullish(),
  reasoning: z.strictObject({ effort: z.string().optional() }).optional(),
})

/**
 * Ollama's chat completions with the fields its page on OpenAI's dialect lists; a picture is inline. It leaves unknown
 * fields aside, so one here is no refusal but something that is lost there without a word.
 */
export const ollama: Vendor = {
  ...openaiChat,
  leavesAside: ({ json }) => unknownMembers(request, json),
  faults: (asked) => [
    ...rule(asked.path === '/v1/chat/completions', `no such path ${asked.path}`),
    ...chatFaults(request, asked, otherFaultsIn),
    ...pictureFaults(asked),
  ],
}

const pictureFaults = ({ text }: Recorded): string[] =>
  rule(!/"image_url":\s*(?:\{"url":\s*)?"https?:/.test(text), 'pictures must be inline')
