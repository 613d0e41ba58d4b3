import { z } from 'zod'
import { RESPONSES_SEAL, responseAnswer, responseStream } from '../../../support/responses.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { answerTo, type Heard, must, picturedUrl } from './conversation.ts'

const inputPart = z.union([
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.string(),
    detail: z.enum(['low', 'high', 'auto']).optional(),
  }),
])
const outputPart = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()).optional(),
  logprobs: z.array(z.unknown()).optional(),
})
const status = z.enum(['completed', 'in_progress', 'incomplete']).optional()
const id = z.string().optional()
const item = z.union([
  z.strictObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'system', 'developer']),
    content: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.strictObject({
    type: z.literal('message').optional(),
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(outputPart).min(1)]),
    phase: z.string().nullish(),
    status,
    id,
  }),
  z.strictObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
    id,
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.union([z.string(), z.array(inputPart)]),
    status,
    id,
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id,
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    encrypted_content: z.literal(RESPONSES_SEAL).nullish(),
  }),
  z.strictObject({ type: z.literal('item_reference'), id: z.string() }),
])
type Item = z.infer<typeof item>

const request = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z.string().regex(/^[\w-]{1,64}$/),
        description: z.string().nullish(),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().nullish(),
      }),
    )
    .optional(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.strictObject({ type: z.literal('function'), name: z.string() })])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  max_output_tokens: z.number().int().min(16).optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  reasoning: z
    .strictObject({ effort: z.string().optional(), summary: z.enum(['auto', 'concise', 'detailed']).optional() })
    .optional(),
  text: z
    .strictObject({
      format: z
        .union([
          z.strictObject({ type: z.literal('text') }),
          z.strictObject({
            type: z.literal('json_schema'),
            name: z.string().min(1),
            description: z.string().optional(),
            strict: z.boolean().optional(),
            schema: z.looseObject({ type: z.literal('object'), additionalProperties: z.literal(false) }),
          }),
        ])
        .optional(),
    })
    .optional(),
  include: z.array(z.string()).optional(),
  store: z.boolean().nullish(),
  previous_response_id: z.string().optional(),
})
type Request = z.infer<typeof request>

/**
 * A strict vendor of the Responses API: it accepts only what the API's reference lists, and recognizes its own items.
 */
export function createResponsesVendor() {
  const kept = new Map<string, unknown>()
  let count = 0
  return ({ headers, json }: Recorded): Script => {
    must(headers.authorization === 'Bearer openai-key', 'the key must be a bearer token')
    const asked = request.parse(json)
    if (asked.model.startsWith('gpt-5')) must(asked.temperature === undefined, 'temperature is not supported')
    const { previous_response_id: previous } = asked
    must(previous === undefined || kept.has(previous), 'no such response')
    const items = inputOf(asked).map((one) => (one.type === 'item_reference' ? item.parse(kept.get(one.id)) : one))
    checkCalls(items)
    const said = answerTo(heardIn(asked, items))
    count += 1
    const id = `resp_${count}`
    const answer = responseAnswer(said, {}, id)
    if (asked.store !== false) for (const one of [answer, ...answer.output]) kept.set(one.id, one)
    return asked.stream === true ? { events: responseStream(said, {}, id) } : { body: answer }
  }
}

const inputOf = ({ input }: Request): readonly Item[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input

/** Every call must have its output, and every output its call. */
function checkCalls(items: readonly Item[]): void {
  const calls = items.flatMap((one) => (one.type === 'function_call' ? [one.call_id] : []))
  const outputs = items.flatMap((one) => (one.type === 'function_call_output' ? [one.call_id] : []))
  must(String(calls.toSorted()) === String(outputs.toSorted()), `calls ${calls} have the outputs ${outputs}`)
}

function heardIn(asked: Request, items: readonly Item[]): Heard {
  const last = items.findLastIndex((one) => 'role' in one && one.role === 'user')
  const user = items[last]
  const content = user && 'role' in user ? user.content : ''
  const parts = typeof content === 'string' ? [{ type: 'input_text' as const, text: content }] : content
  const results = items.slice(last + 1).flatMap((one) => (one.type === 'function_call_output' ? [one.output] : []))
  const picture = parts.find((part) => part.type === 'input_image')
  return {
    stream: asked.stream === true,
    text: parts.map((part) => (part.type === 'input_image' ? '' : part.text)).join(''),
    results: results.map((output) => (typeof output === 'string' ? output : JSON.stringify(output))),
    tools: asked.tools?.map(({ name }) => name) ?? [],
    mustCall: asked.tool_choice === 'required' || typeof asked.tool_choice === 'object',
    picture: picture && picturedUrl(picture.image_url),
    wantsJson: asked.text?.format?.type === 'json_schema',
    thinks: asked.reasoning?.summary !== undefined,
  }
}
