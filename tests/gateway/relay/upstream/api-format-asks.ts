/** A request with a tool in a client dialect, and its continuation. */
type Ask = Readonly<{
  path(model: string, stream: boolean): string
  /** `thinks` turns thinking on (true) or off (false), or leaves it unset. */
  body(model: string, stream: boolean, thinks?: boolean): Record<string, unknown>
  /** The next turn: the response as the client stores it, and the tool's result. */
  next(body: Record<string, unknown>, answer: Answered): Record<string, unknown>
}>

/** A response: its JSON, or the events of its stream. */
export type Answered = Readonly<{ json: Wire; events: readonly Wire[] }>

// biome-ignore lint/suspicious/noExplicitAny: a client looks into whatever it was answered
type Wire = any

export const CALL_ID = 'call_1'
const QUESTION = 'How warm is it?'
const RESULT = '21 degrees'
const schema = { type: 'object', properties: { city: { type: 'string' } } }

export const asks = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (model, stream, thinks) => ({
      model,
      ...(stream ? { stream } : {}),
      messages: [{ role: 'user', content: QUESTION }],
      tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
      ...(thinks === undefined ? {} : { reasoning_effort: thinks ? 'high' : 'none' }),
    }),
    next: (body, answer) => ({
      ...body,
      messages: [
        ...listIn(body.messages),
        answer.events.length > 0 ? chatMessage(answer.events) : answer.json.choices[0].message,
        { role: 'tool', tool_call_id: CALL_ID, content: RESULT },
      ],
    }),
  },
  messages: {
    path: () => '/v1/messages',
    body: (model, stream, thinks) => ({
      model,
      ...(stream ? { stream } : {}),
      max_tokens: 8192,
      messages: [{ role: 'user', content: QUESTION }],
      tools: [{ name: 'weather', input_schema: schema }],
      ...(thinks === undefined
        ? {}
        : { thinking: thinks ? { type: 'enabled', budget_tokens: 4096 } : { type: 'disabled' } }),
    }),
    next: (body, answer) => ({
      ...body,
      messages: [
        ...listIn(body.messages),
        { role: 'assistant', content: answer.events.length > 0 ? blocks(answer.events) : answer.json.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL_ID, content: RESULT }] },
      ],
    }),
  },
  generate: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (_model, _stream, thinks) => ({
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      tools: [{ functionDeclarations: [{ name: 'weather', parameters: schema }] }],
      ...(thinks === undefined ? {} : { generationConfig: { thinkingConfig: { thinkingBudget: thinks ? 4096 : 0 } } }),
    }),
    next: (body, answer) => ({
      ...body,
      contents: [
        ...listIn(body.contents),
        { role: 'model', parts: (answer.events.length > 0 ? answer.events : [answer.json]).flatMap(partsOf) },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { content: RESULT } } }] },
      ],
    }),
  },
} as const satisfies Record<string, Ask>
export type AskName = keyof typeof asks
export const askNames = Object.keys(asks) as AskName[] // the keys of a constant

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Google's clients send calls back unchanged, but no reasoning. */
const partsOf = ({ candidates }: Wire): readonly unknown[] =>
  candidates[0].content.parts.filter((part: Wire) => !part.thought)

/** The message of a stream, assembled as OpenAI's clients do. */
function chatMessage(events: readonly Wire[]): Wire {
  const message: Wire = { role: 'assistant', content: null, tool_calls: [] }
  for (const { delta } of events.flatMap(({ choices = [] }) => choices)) {
    if (delta.content) message.content = (message.content ?? '') + delta.content
    if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
    if (delta.reasoning_details)
      message.reasoning_details = [...(message.reasoning_details ?? []), ...delta.reasoning_details]
    for (const { index, function: said, ...call } of delta.tool_calls ?? []) {
      const known = message.tool_calls[index]
      if (known) known.function.arguments += said.arguments ?? ''
      else message.tool_calls[index] = { ...call, function: { ...said } }
    }
  }
  return message
}

/** The blocks of a stream, assembled as Anthropic's clients do. */
function blocks(events: readonly Wire[]): readonly Wire[] {
  const all: Wire[] = []
  for (const { type, index, content_block: begun, delta } of events) {
    if (type === 'content_block_start') all[index] = { ...begun, json: '' }
    const block = all[index]
    if (type === 'content_block_delta' && delta.type === 'text_delta') block.text += delta.text
    if (type === 'content_block_delta' && delta.type === 'thinking_delta') block.thinking += delta.thinking
    if (type === 'content_block_delta' && delta.type === 'signature_delta') block.signature += delta.signature
    if (type === 'content_block_delta' && delta.type === 'input_json_delta') block.json += delta.partial_json
  }
  return all.map(({ json, ...block }) => (json === '' ? block : { ...block, input: JSON.parse(json) }))
}
