import { z } from 'zod'
import type { Recorded } from '../upstream.ts'
import { assistant, chatFaults, common, messageWith, openaiChat } from './openai-chat.ts'
import { otherFaultsIn, rule, unknownMembers, type Vendor } from './vendor.ts'

const request = z.strictObject({
  ...common,
  /** Accepted because it states the default behaviour, so nothing is lost. */
  parallel_tool_calls: z.literal(true).nullish(),
  messages: z.array(messageWith(assistant.extend({ reasoning: z.string().optional() }))).min(1),
  reasoning_effort: z.enum(['none', 'low', 'medium', 'high', 'max']).nullish(),
  reasoning: z.strictObject({ effort: z.string().optional() }).optional(),
})

/**
 * Ollama's chat completions with the fields listed on its page about OpenAI compatibility; images are inline. It
 * ignores unknown fields, so they are not refused but lost silently.
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
