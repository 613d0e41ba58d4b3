import { z } from 'zod'
import { saidAnswer, saidStream } from '../chat-said.ts'
import type { Recorded } from '../upstream.ts'
import { faultsIn, rule, type Vendor } from './vendor.ts'

/** A tool's schema: an object at its root, without the keywords that OpenAI refuses there. */
const parameters = z
  .looseObject({ type: z.literal('object') })
  .refine((schema) => !['oneOf', 'anyOf', 'allOf', 'enum', 'not'].some((word) => word in schema), {
    message: 'a function’s schema has no oneOf, anyOf, allOf, enum or not at its root',
  })

const breakpoint = z.strictObject({ mode: z.literal('explicit') }).optional()
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  prompt_cache_breakpoint: breakpoint,
})
const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: z.string().regex(/^(https?:|data:image\/(png|jpe?g|gif|webp);base64,)/),
    detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
  }),
  prompt_cache_breakpoint: breakpoint,
})
const file = z.strictObject({
  type: z.literal('file'),
  file: z.strictObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
})
const sound = z.strictObject({
  type: z.literal('input_audio'),
  input_audio: z.strictObject({ data: z.base64(), format: z.enum(['wav', 'mp3']) }),
})
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() })
const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
const call = z.strictObject({
  id: z.string().min(1).max(64),
  type: z.literal('function'),
  function: z.strictObject({ name: functionName, arguments: z.string() }),
})
const texts = z.union([z.string(), z.array(text).min(1)])
const name = z
  .string()
  .regex(/^[^\s<|\\/>]+$/)
  .max(64)
  .optional()

/** The members of an assistant message, which families extend. */
export const assistant = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, refusal])).min(1)]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).min(1).max(128).optional(),
  name,
})
const system = z.strictObject({ role: z.literal('system'), content: texts, name })
const developer = z.strictObject({ role: z.literal('developer'), content: texts, name })
const user = z.strictObject({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, file, sound])).min(1)]),
  name,
})
const tool = z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string() })

/** Messages by role, with a family's assistant message. */
export const messageWith = <Said extends typeof assistant>(said: Said) =>
  z.discriminatedUnion('role', [system, developer, user, said, tool])
const message = messageWith(assistant)
type Message = z.infer<typeof message>

const functionTool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: functionName,
    description: z.string().optional(),
    parameters: parameters.optional(),
    strict: z.boolean().nullish(),
  }),
})
/** Tools with text input, and their calls; only OpenAI has them. */
const customTool = z.strictObject({
  type: z.literal('custom'),
  custom: z.strictObject({
    name: functionName,
    description: z.string().optional(),
    format: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('text') }),
        z.strictObject({
          type: z.literal('grammar'),
          grammar: z.strictObject({ syntax: z.enum(['lark', 'regex']), definition: z.string() }),
        }),
      ])
      .optional(),
  }),
})
const customCall = z.strictObject({
  id: z.string().min(1).max(64),
  type: z.literal('custom'),
  custom: z.strictObject({ name: functionName, input: z.string() }),
})

/** Fields common to the families of this dialect, as in OpenAI's reference. */
export const common = {
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  tools: z.array(functionTool).min(1).max(128).optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: functionName }) }),
    ])
    .optional(),
  max_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: functionName,
          description: z.string().optional(),
          strict: z.boolean().nullish(),
          schema: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    ])
    .optional(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  seed: z.number().int().nullish(),
  user: z.string().max(64).optional(),
}

const request = z.strictObject({
  ...common,
  messages: z
    .array(
      z.discriminatedUnion('role', [
        system,
        developer,
        user,
        assistant.extend({
          tool_calls: z
            .array(z.union([call, customCall]))
            .min(1)
            .max(128)
            .optional(),
        }),
        tool,
      ]),
    )
    .min(1),
  tools: z
    .array(z.union([functionTool, customTool]))
    .min(1)
    .max(128)
    .optional(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  n: z.number().int().min(1).max(128).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  store: z.boolean().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  prompt_cache_key: z.string().max(64).nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  safety_identifier: z.string().max(64).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  modalities: z.array(z.enum(['text', 'audio'])).nullish(),
  web_search_options: z.looseObject({}).optional(),
})
type Request = z.infer<typeof request>

/** OpenAI's chat completions, as strict as its reference, and with the restrictions of newer models. */
export const openaiChat: Vendor = {
  faults: (asked) => [
    ...rule(asked.headers.authorization?.startsWith('Bearer ') === true, 'the key must be a bearer token'),
    ...rule(asked.path === '/v1/chat/completions', `no such path ${asked.path}`),
    ...chatFaults(request, asked),
    ...(request.safeParse(asked.json).success ? ofModel(asked.json) : []),
  ],
  tools: toolsOf,
  thinks: () => false,
  says: (asked, said, figures) =>
    asked.json.stream === true
      ? { events: saidStream(said, asked.json.stream_options?.include_usage ? figures : null) }
      : { body: saidAnswer(said, figures) },
  refuses: (_, status, message) => ({
    status,
    body: { error: { message, type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', code: null } },
  }),
}

/** Violations of the schema and of the order of messages; `find` applies the schema. */
export function chatFaults(schema: z.ZodType, { json }: Recorded, find = faultsIn): string[] {
  const found = find(schema, json)
  if (found.length > 0) return found
  return [
    ...orderFaults(json.messages),
    ...rule(json.stream === true || !json.stream_options, 'stream_options only with stream'),
    ...rule(!json.tool_choice || json.tools !== undefined, 'tool_choice only with tools'),
    ...rule(new Set(toolNames(json)).size === toolNames(json).length, 'tool names must be unique'),
  ]
}

export function toolsOf({ json }: Recorded): string[] {
  return toolNames(json)
}

const toolNames = ({ tools = [] }: Pick<Request, 'tools'>): string[] =>
  (tools ?? []).map((one) => (one.type === 'custom' ? one.custom.name : one.function.name))

/**
 * Models that refuse functions, by reasoning effort: with any that is set, or with any but "none", a missing one
 * included.
 */
const refusesTools: readonly (readonly [RegExp, (effort: unknown) => boolean])[] = [
  [/^gpt-5\.[45]/, (effort) => effort !== undefined && effort !== null],
  [/^gpt-(5\.([6-9]|\d\d)|[6-9])/, (effort) => effort !== 'none'],
]

/**
 * Reasoning models accept neither sampling parameters nor `max_tokens`; newer ones accept no functions with reasoning,
 * or not on this path.
 */
function ofModel({ model, tools, ...asked }: Request): string[] {
  if (!/^(gpt-5|gpt-6|o\d)/.test(model)) return rule(!asked.reasoning_effort, `${model} takes no reasoning_effort`)
  const isRefused = refusesTools.find(([pattern]) => pattern.test(model))?.[1] ?? (() => false)
  const thinks = asked.reasoning_effort !== 'none'
  return [
    ...rule(!/codex|-pro\b/.test(model), `${model} is only supported in v1/responses`),
    ...rule(!asked.max_tokens, 'max_tokens is not supported with this model'),
    ...rule(!thinks || (asked.temperature ?? 1) === 1, 'temperature is not supported with this model'),
    ...rule(!thinks || (asked.top_p ?? 1) === 1, 'top_p is not supported with this model'),
    ...rule(
      !(tools && isRefused(asked.reasoning_effort)),
      `function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions`,
    ),
  ]
}

/**
 * Every call is followed directly by one result, and results follow only calls; an assistant message has text or calls.
 */
function orderFaults(messages: readonly Message[]): string[] {
  const found: string[] = []
  let open = new Set<string>()
  for (const [index, one] of messages.entries()) {
    if (one.role === 'tool') found.push(...rule(open.delete(one.tool_call_id), `messages.${index}: answers no call`))
    else found.push(...rule(open.size === 0, `messages.${index}: calls before it have no results: ${[...open]}`))
    if (one.role !== 'assistant') continue
    open = new Set(one.tool_calls?.map(({ id }) => id))
    const says = one.content !== null && one.content !== undefined
    found.push(...rule(says || open.size > 0, `messages.${index}: content or tool_calls is needed`))
  }
  return [...found, ...rule(open.size === 0, `calls without results: ${[...open]}`)]
}
