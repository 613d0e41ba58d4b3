import { z } from 'zod'
import { ANTHROPIC_SEAL, messageAnswer, messageStream } from '../../../support/anthropic.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { answerTo, type Heard, must, pictured } from './conversation.ts'

const cache_control = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish()
const text = z.strictObject({ type: z.literal('text'), text: z.string().regex(/\S/), cache_control })
const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      data: z.base64(),
    }),
    z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https$/ }) }),
  ]),
  cache_control,
})
const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/)
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: toolId,
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  cache_control,
})
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: toolId,
  content: z.union([z.string(), z.array(z.union([text, image]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control,
})
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.literal(ANTHROPIC_SEAL),
})
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(z.union([text, image, toolResult])).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string().min(1), z.array(z.union([text, thinking, toolUse])).min(1)]),
  }),
])
const request = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.number().int().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string().min(1), z.array(text).min(1)]).optional(),
  stream: z.boolean().optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().optional(),
        type: z.literal('custom').optional(),
        eager_input_streaming: z.boolean().optional(),
        cache_control,
      }),
    )
    .optional(),
  tool_choice: z
    .strictObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().optional(),
  stop_sequences: z.array(z.string().regex(/\S/)).optional(),
  thinking: z
    .union([
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024) }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'max']).optional(),
      format: z
        .strictObject({ type: z.literal('json_schema'), schema: z.looseObject({ type: z.literal('object') }) })
        .optional(),
    })
    .optional(),
  metadata: z.strictObject({ user_id: z.string().optional() }).optional(),
})
type Request = z.infer<typeof request>
type Block = Exclude<Request['messages'][number]['content'], string>[number]

/** A strict vendor of the Messages API: it accepts only what the API's reference lists. */
export function anthropicVendor({ headers, json }: Recorded): Script {
  must(headers['x-api-key'] === 'anthropic-key', 'the key must be in x-api-key')
  must(headers.authorization === undefined, 'one key is enough')
  must(/^\d{4}-\d\d-\d\d$/.test(String(headers['anthropic-version'])), 'anthropic-version must be said')
  const asked = request.parse(json)
  checkTurns(asked)
  checkThinking(asked)
  if (asked.output_config?.format)
    must(asked.output_config.format.schema.additionalProperties === false, 'a schema must be closed')
  const heard = heardIn(asked)
  const said = answerTo(heard)
  return heard.stream ? { events: messageStream(said) } : { body: messageAnswer(said) }
}

const blocksOf = ({ content }: Request['messages'][number]): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/**
 * Turns alternate, starting with the user's; a turn with calls is followed by one that starts with all their results.
 */
function checkTurns({ messages }: Request): void {
  for (const [index, one] of messages.entries()) {
    must(one.role === (index % 2 === 0 ? 'user' : 'assistant'), 'roles must alternate from the user on')
    const before = messages[index - 1]
    const calls = before ? blocksOf(before).flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])) : []
    if (one.role !== 'user') continue
    const results = blocksOf(one).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    must(String(calls.toSorted()) === String(results.toSorted()), `calls ${calls} have the results ${results}`)
    must(
      blocksOf(one)
        .slice(0, results.length)
        .every((block) => block.type === 'tool_result'),
      'results come first',
    )
  }
}

/**
 * Checks a request with thinking: its limit is above its budget, it sets no sampling, and it has the thinking of the
 * turn that it continues.
 */
function checkThinking({ thinking: wish, messages, ...asked }: Request): void {
  if (wish?.type !== 'enabled') return
  must(wish.budget_tokens < asked.max_tokens, 'max_tokens must be greater than the budget')
  must(asked.temperature === undefined || asked.temperature === 1, 'temperature must be 1 when thinking')
  must(asked.top_k === undefined, 'top_k must be unset when thinking')
  must(asked.tool_choice?.type !== 'any' && asked.tool_choice?.type !== 'tool', 'no forced tools when thinking')
  const last = messages.at(-1)
  if (!last || !blocksOf(last).some((block) => block.type === 'tool_result')) return
  const before = messages.at(-2)
  must(before !== undefined && blocksOf(before)[0]?.type === 'thinking', 'the turn must begin with its thoughts')
}

function heardIn(asked: Request): Heard {
  const last = asked.messages.at(-1)
  const blocks = last ? blocksOf(last) : []
  const picture = blocks.find((block) => block.type === 'image')
  const results = blocks.filter((block) => block.type === 'tool_result')
  return {
    stream: asked.stream === true,
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    results: results.map(({ content = '' }) =>
      typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join(''),
    ),
    tools: asked.tools?.map((one) => one.name) ?? [],
    mustCall: asked.tool_choice?.type === 'any' || asked.tool_choice?.type === 'tool',
    picture: picture && sourceOf(picture.source),
    wantsJson: asked.output_config?.format !== undefined,
    thinks: asked.thinking?.type === 'enabled',
  }
}

const sourceOf = (source: z.infer<typeof image>['source']): string =>
  source.type === 'url' ? source.url : pictured(source.media_type, source.data)
