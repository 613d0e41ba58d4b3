import { z } from 'zod'
import { faultsIn, rule } from '../vendors/vendor.ts'
import { faultsOfEvents, isStream, type ReadAnswer } from './dialect.ts'

const status = z.enum(['completed', 'in_progress', 'incomplete']).nullish()
const part = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()),
  logprobs: z.array(z.unknown()).optional(),
})
const summary = z.strictObject({ type: z.literal('summary_text'), text: z.string() })
const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    status,
    phase: z.string().nullish(),
    content: z.array(part),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(summary),
    content: z.array(z.unknown()).nullish(),
    encrypted_content: z.string().nullish(),
    status,
  }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string().min(1),
    name: z.string(),
    namespace: z.string().optional(),
    arguments: z.string(),
    status,
  }),
  z.strictObject({
    type: z.literal('custom_tool_call'),
    id: z.string(),
    call_id: z.string().min(1),
    name: z.string(),
    namespace: z.string().optional(),
    input: z.string(),
    status,
  }),
])
const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number(),
  model: z.string(),
  status: z.enum(['completed', 'in_progress', 'incomplete', 'failed', 'queued']),
  output: z.array(item),
  usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number(), total_tokens: z.number() }).nullish(),
})
const at = { sequence_number: z.number().int(), output_index: z.number().int() }
const inItem = { ...at, item_id: z.string() }
const inPart = { ...inItem, content_index: z.number().int() }
const inSummary = { ...inItem, summary_index: z.number().int() }
const obfuscation = z.string().optional()
const event = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['response.created', 'response.in_progress', 'response.completed', 'response.incomplete']),
    sequence_number: z.number().int(),
    response,
  }),
  z.strictObject({ type: z.enum(['response.output_item.added', 'response.output_item.done']), ...at, item }),
  z.strictObject({ type: z.enum(['response.content_part.added', 'response.content_part.done']), ...inPart, part }),
  z.strictObject({
    type: z.literal('response.output_text.delta'),
    ...inPart,
    delta: z.string(),
    logprobs: z.array(z.unknown()).optional(),
    obfuscation,
  }),
  z.strictObject({
    type: z.literal('response.output_text.done'),
    ...inPart,
    text: z.string(),
    logprobs: z.array(z.unknown()).optional(),
  }),
  z.strictObject({
    type: z.literal('response.function_call_arguments.delta'),
    ...inItem,
    delta: z.string(),
    obfuscation,
  }),
  z.strictObject({
    type: z.literal('response.function_call_arguments.done'),
    ...inItem,
    name: z.string().optional(),
    arguments: z.string(),
  }),
  z.strictObject({ type: z.literal('response.custom_tool_call_input.delta'), ...inItem, delta: z.string() }),
  z.strictObject({ type: z.literal('response.custom_tool_call_input.done'), ...inItem, input: z.string() }),
  z.strictObject({
    type: z.enum(['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done']),
    ...inSummary,
    part: summary,
  }),
  z.strictObject({
    type: z.literal('response.reasoning_summary_text.delta'),
    ...inSummary,
    delta: z.string(),
    obfuscation,
  }),
  z.strictObject({ type: z.literal('response.reasoning_summary_text.done'), ...inSummary, text: z.string() }),
  z.strictObject({ type: z.literal('response.reasoning_text.delta'), ...inPart, delta: z.string() }),
  z.strictObject({ type: z.literal('response.reasoning_text.done'), ...inPart, text: z.string() }),
])
type Event = z.infer<typeof event>
type Item = z.infer<typeof item>

/** Reads OpenAI's Responses: numbered events, items added and done in order, and the complete response at the end. */
export const readResponse: ReadAnswer = (answer) => {
  if (!isStream(answer)) return readWhole(answer.json)
  const found = faultsOfEvents(event, answer.events)
  if (found.length > 0) return { faults: found, text: '', calls: [] }
  const events: readonly Event[] = answer.events
  const last = events.at(-1)
  const done = events.flatMap((one) => (one.type === 'response.output_item.done' ? [one.item] : []))
  const added = events.flatMap((one) => (one.type === 'response.output_item.added' ? [one.item.id] : []))
  const output = last && 'response' in last ? last.response.output : []
  const streamed = events.map((one) => (one.type === 'response.output_text.delta' ? one.delta : '')).join('')
  return {
    faults: [
      ...rule(events[0]?.type === 'response.created', 'it begins with response.created'),
      ...rule(last?.type === 'response.completed', 'it ends with response.completed'),
      ...rule(
        events.every((one, index) => one.sequence_number === index),
        'events are numbered from 0 on',
      ),
      ...rule(String(added) === String(done.map(({ id }) => id)), 'what is added is done, in order'),
      ...rule(JSON.stringify(output) === JSON.stringify(done), 'the whole response has the items that were done'),
      ...rule(streamed === saidBy(done).text, 'the pieces are the text'),
    ],
    ...saidBy(done),
  }
}

function readWhole(json: unknown): ReturnType<ReadAnswer> {
  const { data, success } = response.safeParse(json)
  return success ? { faults: [], ...saidBy(data.output) } : { faults: faultsIn(response, json), text: '', calls: [] }
}

function saidBy(output: readonly Item[]) {
  return {
    text: output.flatMap((one) => (one.type === 'message' ? one.content.map(({ text }) => text) : [])).join(''),
    calls: output.flatMap((one) => {
      if (one.type === 'function_call') return [{ name: one.name, json: one.arguments }]
      return one.type === 'custom_tool_call' ? [{ name: one.name, json: one.input }] : []
    }),
  }
}
