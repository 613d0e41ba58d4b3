import { z } from 'zod'
import type { Recorded } from '../upstream.ts'
import { assistant, chatFaults, common, messageWith, openaiChat } from './openai-chat.ts'
import { otherFaultsIn, rule, unknownMembers, type Vendor } from './vendor.ts'

const message = messageWith(
  assistant.extend({ reasoning_content: z.string().nullish(), prefix: z.boolean().optional() }),
)
const request = z.strictObject({
  ...common,
  /** Accepted because it states the default behaviour, so nothing is lost. */
  parallel_tool_calls: z.literal(true).nullish(),
  messages: z.array(message).min(1),
  thinking: z.strictObject({ type: z.enum(['enabled', 'disabled']) }).nullish(),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra']).nullish(),
  response_format: z.strictObject({ type: z.enum(['text', 'json_object']) }).optional(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
})

/**
 * DeepSeek's chat completions: system, user, assistant and tool, text only, JSON without a schema; a turn that
 * continues after calls must include its reasoning. Unknown members are ignored.
 */
export const deepseek: Vendor = {
  ...openaiChat,
  leavesAside: ({ json }) => unknownMembers(request, json),
  thinks,
  faults: (asked) => {
    const found = [
      ...rule(asked.headers.authorization?.startsWith('Bearer ') === true, 'the key must be a bearer token'),
      ...rule(asked.path === '/v1/chat/completions', `no such path ${asked.path}`),
      ...chatFaults(request, asked, otherFaultsIn),
    ]
    return found.length > 0 ? found : [...roleFaults(asked), ...thoughtFaults(asked)]
  },
}

type Message = z.infer<typeof message>

function roleFaults({ json }: Recorded): string[] {
  const messages: readonly Message[] = json.messages
  return messages.flatMap(({ role, content }, index) => [
    ...rule(role !== 'developer', `messages.${index}.role: unknown variant developer`),
    ...(Array.isArray(content) ? content : []).flatMap((part) =>
      rule(part.type === 'text', `messages.${index}.content: unknown variant ${part.type}, expected text`),
    ),
  ])
}

function thinks({ json }: Pick<Recorded, 'json'>): boolean {
  return json.thinking?.type !== 'disabled' && json.model !== 'deepseek-chat'
}

/** Thinking is on unless it is switched off; reasoning before calls must be sent back with them. */
function thoughtFaults({ json }: Recorded): string[] {
  if (!thinks({ json })) return []
  const messages: readonly Message[] = json.messages
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return messages.flatMap((one, index) =>
    index > asked && one.role === 'assistant' && one.tool_calls
      ? rule(typeof one.reasoning_content === 'string', `messages.${index}: reasoning_content must be passed back`)
      : [],
  )
}
