import { z } from 'zod'
import { faultsIn, rule } from '../vendors/vendor.ts'
import { faultsOfEvents, isStream, type ReadAnswer } from './dialect.ts'

const usage = z.looseObject({ input_tokens: z.number().int(), output_tokens: z.number().int() })
const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), citations: z.unknown().optional() }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    caller: z.unknown().optional(),
  }),
])
const stop_reason = z.enum([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
])
const head = {
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  stop_sequence: z.string().nullable(),
  container: z.unknown().optional(),
  context_management: z.unknown().optional(),
  usage,
}
const whole = z.strictObject({ ...head, content: z.array(block), stop_reason })
const index = z.number().int()
const event = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message_start'),
    message: z.strictObject({ ...head, content: z.array(block).max(0), stop_reason: z.null() }),
  }),
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({ type: z.literal('content_block_start'), index, content_block: block }),
  z.strictObject({
    type: z.literal('content_block_delta'),
    index,
    delta: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
      z.strictObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
      z.strictObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
      z.strictObject({ type: z.literal('signature_delta'), signature: z.string() }),
    ]),
  }),
  z.strictObject({ type: z.literal('content_block_stop'), index }),
  z.strictObject({
    type: z.literal('message_delta'),
    delta: z.strictObject({ stop_reason, stop_sequence: z.string().nullable(), container: z.unknown().optional() }),
    usage: z.looseObject({ output_tokens: z.number().int() }),
    context_management: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal('message_stop') }),
])
type Event = z.infer<typeof event>

/** Reads Anthropic's Messages: one block after the other, each started and stopped, between message start and stop. */
export const readMessage: ReadAnswer = (answer) => {
  if (!isStream(answer)) return readWhole(answer.json)
  const found = faultsOfEvents(event, answer.events)
  if (found.length > 0) return { faults: found, text: '', calls: [] }
  const events = (answer.events as Event[]).filter(({ type }) => type !== 'ping') // checked above
  const order = events
    .map((one) => ('index' in one ? `${one.type.replace('content_block_', '')}${one.index}` : one.type))
    .join(' ')
  const calls: { name: string; json: string }[] = []
  let text = ''
  for (const one of events) {
    if (one.type === 'content_block_start' && one.content_block.type === 'tool_use')
      calls.push({ name: one.content_block.name, json: '' })
    if (one.type !== 'content_block_delta') continue
    if (one.delta.type === 'text_delta') text += one.delta.text
    const last = calls.at(-1)
    if (one.delta.type === 'input_json_delta' && last) last.json += one.delta.partial_json
  }
  const ends = events.flatMap((one) => (one.type === 'message_delta' ? [one.delta.stop_reason] : []))
  return {
    faults: [
      ...rule(
        /^message_start (start(\d+) (delta\2 )*stop\2 )*message_delta message_stop$/.test(order),
        `events out of order: ${order}`,
      ),
      ...rule(calls.length > 0 === ends.includes('tool_use'), `stop_reason ${ends} with ${calls.length} calls`),
    ],
    text,
    calls,
  }
}

function readWhole(json: unknown): ReturnType<ReadAnswer> {
  const found = faultsIn(whole, json)
  if (found.length > 0) return { faults: found, text: '', calls: [] }
  const { content } = whole.parse(json)
  return {
    faults: [],
    text: content.map((one) => (one.type === 'text' ? one.text : '')).join(''),
    calls: content.flatMap((one) =>
      one.type === 'tool_use' ? [{ name: one.name, json: JSON.stringify(one.input) }] : [],
    ),
  }
}
