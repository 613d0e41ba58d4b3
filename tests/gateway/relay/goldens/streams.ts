import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import { frame, item, message, outputText, response, used } from './answers.ts'

const chunkHead = {
  id: `chatcmpl-${frame.id}`,
  object: 'chat.completion.chunk',
  created: frame.created,
  model: frame.model,
}

export const chunk = (delta: Json, finish_reason: string | null = null, index = 0): Json => ({
  ...chunkHead,
  choices: [{ index, delta, finish_reason }],
  usage: null,
})

/** The first chunk of a choice. */
export const begun = (index = 0): Json => chunk({ role: 'assistant', content: '' }, null, index)

/** The end of a stream of chunks. */
export const ended: readonly (Json | string)[] = [{ ...chunkHead, choices: [], usage: used.openai }, '[DONE]']

/** A stream of chunks with one choice. */
export const openaiStream = (deltas: readonly Json[], finish = 'stop'): readonly (Json | string)[] => [
  begun(),
  ...deltas.map((delta) => chunk(delta)),
  chunk({}, finish),
  ...ended,
]

/** The chunks of a call in pieces. */
export const openaiCall = (index: number, id: string, name: string, pieces: readonly string[]): readonly Json[] => [
  { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
  ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
]

/** An Anthropic stream with these block events. */
export const anthropicStream = (
  events: readonly Json[],
  stop_reason = 'end_turn',
  delta: Json = {},
): readonly Json[] => [
  {
    type: 'message_start',
    message: { ...message([]), stop_reason: null, usage: { input_tokens: 12, output_tokens: 0 } },
  },
  ...events,
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null, ...delta }, usage: used.anthropic },
  { type: 'message_stop' },
]

export const block = (index: number, content_block: Json, deltas: readonly Json[]): readonly Json[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

export const textBlock = (index: number, ...pieces: readonly string[]): readonly Json[] =>
  block(
    index,
    { type: 'text', text: '' },
    pieces.map((text) => ({ type: 'text_delta', text })),
  )

export const callBlock = (index: number, id: string, name: string, pieces: readonly string[]): readonly Json[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )

export const thoughtBlock = (index: number, pieces: readonly string[], signature?: string): readonly Json[] =>
  block(index, { type: 'thinking', thinking: '', signature: '' }, [
    ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
    ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
  ])

/** A stream of the Responses API with these events of items; all events are numbered. */
export function responsesStream(events: readonly Json[], output: readonly Json[], members: Json = {}): readonly Json[] {
  const open = response([], { status: 'in_progress', usage: null })
  const last = response(output, members)
  return [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...events,
    { type: last.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response: last },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}

const open = (output_index: number, started: Json): Json => ({
  type: 'response.output_item.added',
  output_index,
  item: started,
})
const done = (output_index: number, finished: Json): Json => ({
  type: 'response.output_item.done',
  output_index,
  item: finished,
})

/** The events of a message with one text. */
export function textItem(output_index: number, pieces: readonly string[], status = 'completed'): readonly Json[] {
  const place = { item_id: `msg_${frame.id}_${output_index}`, output_index, content_index: 0 }
  const text = pieces.join('')
  return [
    open(output_index, item.message(output_index, [], 'in_progress')),
    { type: 'response.content_part.added', ...place, part: outputText('') },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: outputText(text) },
    done(output_index, item.message(output_index, [outputText(text)], status)),
  ]
}

/** The events of a call from its start to its end. */
export function callItem(output_index: number, id: string, name: string, pieces: readonly string[]) {
  const place = { item_id: `fc_${frame.id}_${output_index}`, output_index }
  const text = pieces.join('')
  return {
    begin: [
      open(output_index, { ...item.call(output_index, id, name, ''), status: 'in_progress' }),
      ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    ],
    end: [
      { type: 'response.function_call_arguments.done', ...place, arguments: text },
      done(output_index, item.call(output_index, id, name, text)),
    ],
  } as const
}

/** The events of a reasoning item; `sealed` is its encrypted content. */
export function thoughtItem(
  output_index: number,
  pieces: readonly string[],
  sealed?: string,
  id?: string,
): readonly Json[] {
  const item_id = id ?? `rs_${frame.id}_${output_index}`
  const place = { item_id, output_index, summary_index: 0 }
  const text = pieces.join('')
  const part = (said: string) => ({ type: 'summary_text', text: said })
  const began = pieces.length > 0
  return [
    open(output_index, item.thought(output_index, '', undefined, item_id)),
    ...(began ? [{ type: 'response.reasoning_summary_part.added', ...place, part: part('') }] : []),
    ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    ...(began ? [{ type: 'response.reasoning_summary_text.done', ...place, text }] : []),
    ...(began ? [{ type: 'response.reasoning_summary_part.done', ...place, part: part(text) }] : []),
    done(output_index, item.thought(output_index, text, sealed, item_id)),
  ]
}

/** The events of a search that the vendor ran, in progress and done. */
export const searchItem = (output_index: number, search: Json): readonly Json[] => [
  open(output_index, { ...search, status: 'in_progress' }),
  ...['in_progress', 'searching', 'completed'].map((state) => ({
    type: `response.web_search_call.${state}`,
    output_index,
    item_id: search.id,
  })),
  done(output_index, search),
]

const geminiHead = { modelVersion: frame.model, responseId: frame.id }

/** A chunk of a Gemini stream other than the last. */
export const part = (content: Json, index = 0): Json => ({
  candidates: [{ content: { role: 'model', parts: [content] }, index }],
  ...geminiHead,
})

/** A Gemini stream: a chunk per part, and a last one with calls, finish reason and usage. */
export const geminiStream = (
  parts: readonly Json[],
  calls: readonly Json[] = [],
  finishReason = 'STOP',
): readonly Json[] => [
  ...parts.map((each) => part(each)),
  {
    candidates: [
      { content: { role: 'model', parts: calls.length > 0 ? calls : [{ text: '' }] }, finishReason, index: 0 },
    ],
    usageMetadata: used.gemini,
    ...geminiHead,
  },
]

/** Gemini's last chunk of a response with several choices. */
export const geminiEnd = (finishReasons: readonly string[]): Json => ({
  candidates: finishReasons.map((finishReason, index) => ({
    content: { role: 'model', parts: [{ text: '' }] },
    finishReason,
    index,
  })),
  usageMetadata: used.gemini,
  ...geminiHead,
})
