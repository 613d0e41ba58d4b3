import { z } from 'zod'
import { saidAnswer, saidStream } from '../../../support/chat-said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { answerTo, type Heard, must, picturedUrl } from './conversation.ts'

const textPart = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })
const imagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(['low', 'high', 'auto']).optional() }),
})
const call = z.strictObject({
  id: z.string().min(1).max(40),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
})
const texts = z.union([z.string(), z.array(textPart).min(1)])
const name = z.string().optional()
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: texts, name }),
  z.strictObject({ role: z.literal('developer'), content: texts, name }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.union([textPart, imagePart])).min(1)]),
    name,
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: texts.nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(call).min(1).optional(),
    name,
  }),
  z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string() }),
])
const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().optional(),
    parameters: z.looseObject({ type: z.literal('object') }).optional(),
    strict: z.boolean().nullish(),
  }),
})
const request = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  tools: z.array(tool).min(1).optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  max_tokens: z.number().int().min(1).optional(),
  max_completion_tokens: z.number().int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  response_format: z
    .union([
      z.strictObject({ type: z.enum(['text', 'json_object']) }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          strict: z.boolean().nullish(),
          schema: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    ])
    .optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  thinking: z.strictObject({ type: z.enum(['enabled', 'disabled']) }).optional(),
  user: z.string().optional(),
  store: z.boolean().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  prompt_cache_key: z.string().max(64).optional(),
})
type Request = z.infer<typeof request>

/**
 * A strict vendor of OpenAI's chat dialect: it accepts only what the dialect's reference lists. OpenAI itself refuses
 * `reasoning_content`, and its reasoning models refuse `max_tokens`; the others send and accept reasoning.
 */
export function chatVendor({ headers, json }: Recorded): Script {
  const isOpenai = headers.authorization === 'Bearer openai-key'
  must(isOpenai || headers.authorization === 'Bearer compatible-key', 'the key must be a bearer token')
  const asked = request.parse(json)
  if (isOpenai) checkOpenai(asked)
  else
    must(asked.store === undefined && asked.prompt_cache_key === undefined, 'unknown field store or prompt_cache_key')
  checkCalls(asked)
  checkThoughts(asked)
  must(asked.stream === true || asked.stream_options === undefined, 'stream_options only with stream')
  const heard = heardIn(asked, isOpenai)
  const said = answerTo(heard)
  if (!heard.stream) return { body: saidAnswer(said) }
  return { events: saidStream(said, asked.stream_options?.include_usage ? {} : null) }
}

function checkOpenai({ model, messages, response_format: format, thinking, ...asked }: Request): void {
  must(thinking === undefined, 'unknown field thinking')
  must(
    messages.every((one) => !('reasoning_content' in one)),
    'unknown field reasoning_content',
  )
  if (format?.type === 'json_schema' && format.json_schema.strict)
    must(format.json_schema.schema.additionalProperties === false, 'a strict schema must be closed')
  if (!model.startsWith('gpt-5')) return
  must(asked.max_tokens === undefined, 'max_tokens is not supported with this model')
  must(asked.temperature === undefined || asked.temperature === 1, 'temperature is not supported with this model')
}

/** A thinking model requires the reasoning of the turn that the request continues. */
function checkThoughts({ messages, thinking }: Request): void {
  const before = messages.at(-1)?.role === 'tool' ? messages.findLast(({ role }) => role === 'assistant') : undefined
  if (thinking?.type === 'enabled' && before) must('reasoning_content' in before, 'the turn must have its thoughts')
}

/** Every call must be followed directly by its result, and results may follow only calls. */
function checkCalls({ messages }: Request): void {
  let open = new Set<string>()
  for (const one of messages) {
    if (one.role === 'tool') must(open.delete(one.tool_call_id), `no call ${one.tool_call_id}`)
    else must(open.size === 0, `calls without results: ${[...open]}`)
    if (one.role === 'assistant') open = new Set(one.tool_calls?.map(({ id }) => id))
    if (one.role === 'assistant') must(Boolean(one.content) || open.size > 0, 'an assistant message must say something')
  }
  must(open.size === 0, `calls without results: ${[...open]}`)
}

function heardIn(asked: Request, isOpenai: boolean): Heard {
  const last = asked.messages.findLastIndex(({ role }) => role === 'user')
  const content = asked.messages[last]?.content ?? ''
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const results = asked.messages.slice(last + 1).filter(({ role }) => role === 'tool')
  const picture = parts.find((part) => part.type === 'image_url')
  return {
    stream: asked.stream === true,
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    results: results.map((result) => plain(result.content)),
    tools: asked.tools?.map((one) => one.function.name) ?? [],
    mustCall: asked.tool_choice === 'required' || typeof asked.tool_choice === 'object',
    picture: picture && picturedUrl(picture.image_url.url),
    wantsJson: asked.response_format !== undefined && asked.response_format.type !== 'text',
    thinks: !isOpenai && (asked.thinking?.type === 'enabled' || asked.reasoning_effort !== undefined),
  }
}

const plain = (content: Request['messages'][number]['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => ('text' in part ? part.text : '')).join('')
