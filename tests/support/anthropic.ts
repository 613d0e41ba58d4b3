import { allFigures, type Figures, namedEvent, type Said, textOf } from './said.ts'

/** The signature of Anthropic's thinking, which must be sent back unchanged. */
export const ANTHROPIC_SEAL = 'c2VhbC1vZi1hbnRocm9waWM='

const HEAD = { id: 'msg_01', type: 'message', role: 'assistant', model: 'as-the-vendor-calls-it' } as const

/** A complete response of the Messages API; `null` leaves the usage out. */
export const messageAnswer = (said: Said, figures: Figures | null = {}) => ({
  ...HEAD,
  content: [
    ...(said.thoughts === undefined ? [] : [{ type: 'thinking', thinking: said.thoughts, signature: ANTHROPIC_SEAL }]),
    ...(textOf(said) === '' ? [] : [{ type: 'text', text: textOf(said) }]),
    ...(said.calls ?? []).map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
  ],
  stop_reason: stopReason(said),
  stop_sequence: null,
  ...(figures ? { usage: messageUsage(figures) } : {}),
})

/** The response as a stream, with prompt tokens in the first event and output tokens in the last. */
export function messageStream(said: Said, figures: Figures | null = {}): Buffer[] {
  const blocks: { block: object; deltas: object[] }[] = []
  if (said.thoughts !== undefined) {
    const deltas = [
      { type: 'thinking_delta', thinking: said.thoughts },
      { type: 'signature_delta', signature: ANTHROPIC_SEAL },
    ]
    blocks.push({ block: { type: 'thinking', thinking: '', signature: '' }, deltas })
  }
  if (said.texts) {
    const deltas = said.texts.map((text) => ({ type: 'text_delta', text }))
    blocks.push({ block: { type: 'text', text: '' }, deltas })
  }
  for (const { id, name, arguments: input } of said.calls ?? []) {
    const deltas = halves(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    blocks.push({ block: { type: 'tool_use', id, name, input: {} }, deltas })
  }
  const begun = figures ? { usage: { ...messageUsage(figures), output_tokens: 1 } } : {}
  const ended = figures ? { usage: { output_tokens: messageUsage(figures).output_tokens } } : {}
  const message = { ...HEAD, content: [], stop_reason: null, stop_sequence: null, ...begun }
  return [
    namedEvent('message_start', { type: 'message_start', message }),
    namedEvent('ping', { type: 'ping' }),
    ...blocks.flatMap(({ block, deltas }, index) => blockEvents(index, block, deltas)),
    namedEvent('message_delta', {
      type: 'message_delta',
      delta: { stop_reason: stopReason(said), stop_sequence: null },
      ...ended,
    }),
    namedEvent('message_stop', { type: 'message_stop' }),
  ]
}

/** Usage in Anthropic's form: the prompt without tokens read from or written to the cache. */
export function messageUsage(figures: Figures) {
  const { prompt, completion, cached, written } = allFigures(figures)
  return {
    input_tokens: prompt - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: completion,
  }
}

export const messageError = (type: string, message: string) => ({ type: 'error', error: { type, message } })

const blockEvents = (index: number, content_block: object, deltas: readonly object[]): Buffer[] => [
  namedEvent('content_block_start', { type: 'content_block_start', index, content_block }),
  ...deltas.map((delta) => namedEvent('content_block_delta', { type: 'content_block_delta', index, delta })),
  namedEvent('content_block_stop', { type: 'content_block_stop', index }),
]

const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)]

const stopReason = ({ calls = [] }: Said): string => (calls.length > 0 ? 'tool_use' : 'end_turn')
