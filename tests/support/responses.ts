import { allFigures, type Figures, namedEvent, type Said, type SaidCall, textOf } from './said.ts'

/** The encrypted content of OpenAI's reasoning, which must be sent back with its item. */
export const RESPONSES_SEAL = 'c2VhbC1vZi1vcGVuYWk='

type Item = Readonly<Record<string, unknown>> & Readonly<{ id: string; type: string }>

/** A complete response; its id and those of its items start with `id`. `null` leaves the usage out. */
export function responseAnswer(said: Said, figures: Figures | null = {}, id = 'resp_1') {
  const output = itemsOf(said, id)
  return { ...HEAD, id, status: 'completed', output, ...(figures ? { usage: responseUsage(figures) } : {}) }
}

/** The response as a stream of numbered events. */
export function responseStream(said: Said, figures: Figures | null = {}, id = 'resp_1'): Buffer[] {
  const whole = responseAnswer(said, figures, id)
  const begun = { ...whole, status: 'in_progress', output: [], usage: null }
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...whole.output.flatMap((item, output_index) => itemEvents(item, output_index, said)),
    { type: 'response.completed', response: whole },
  ]
  return events.map((event, sequence_number) => namedEvent(event.type, { ...event, sequence_number }))
}

export function responseUsage(figures: Figures) {
  const { prompt, completion, cached, reasoning } = allFigures(figures)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + completion,
  }
}

const HEAD = {
  object: 'response',
  created_at: 1_700_000_000,
  model: 'as-the-vendor-calls-it',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
} as const

/** The output items: reasoning, the message, calls. */
function itemsOf(said: Said, id: string): Item[] {
  const summary = [{ type: 'summary_text', text: said.thoughts }]
  const content = [{ type: 'output_text', text: textOf(said), annotations: [], logprobs: [] }]
  return [
    ...(said.thoughts === undefined
      ? []
      : [{ id: `rs_${id}`, type: 'reasoning', summary, encrypted_content: RESPONSES_SEAL }]),
    ...(said.texts ? [{ id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content }] : []),
    ...(said.calls ?? []).map((call, index) => callItem(call, `${id}_${index}`)),
  ]
}

function callItem(call: SaidCall, id: string): Item {
  const status = 'completed'
  const given = call.arguments
  if (call.isSearch)
    return {
      id: `tsc_${id}`,
      type: 'tool_search_call',
      call_id: call.id,
      execution: 'client',
      arguments: given,
      status,
    }
  return {
    id: `fc_${id}`,
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    arguments: JSON.stringify(given),
    status,
  }
}

type Event = Readonly<Record<string, unknown>> & Readonly<{ type: string }>

/** The events of one item, from `added` to `done`. */
function itemEvents(item: Item, output_index: number, said: Said): Event[] {
  const at = { item_id: item.id, output_index }
  return [
    { type: 'response.output_item.added', output_index, item: begunItem(item) },
    ...(item.type === 'message' ? messageEvents(at, said) : []),
    ...(item.type === 'reasoning' ? summaryEvents(at, said.thoughts ?? '') : []),
    ...(item.type === 'function_call'
      ? [
          { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments },
          { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments },
        ]
      : []),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function begunItem(item: Item): Item {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  if (item.type === 'tool_search_call') return { ...item, status: 'in_progress' }
  return { ...item, summary: [] }
}

function messageEvents(at: object, said: Said): Event[] {
  const place = { ...at, content_index: 0 }
  const part = { type: 'output_text', text: textOf(said), annotations: [], logprobs: [] }
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...(said.texts ?? []).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ]
}

function summaryEvents(at: object, text: string): Event[] {
  const place = { ...at, summary_index: 0 }
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...place, delta: text },
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
  ]
}
