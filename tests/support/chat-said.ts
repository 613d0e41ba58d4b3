import { allFigures, type Figures, type Said, textOf } from './said.ts'

/** A complete chat response, with the reasoning in `reasoning_content`; `null` leaves the usage out. */
export const saidAnswer = (said: Said, figures: Figures | null = {}) => ({
  ...HEAD,
  object: 'chat.completion',
  choices: [{ index: 0, message: messageOf(said), logprobs: null, finish_reason: finishReason(said) }],
  ...(figures ? { usage: saidUsage(figures) } : {}),
})

/** The response as a stream, with usage in a separate chunk. */
export function saidStream(said: Said, figures: Figures | null = {}): (object | string)[] {
  const deltas: object[] = [{ role: 'assistant', content: '' }]
  if (said.thoughts !== undefined) deltas.push({ reasoning_content: said.thoughts })
  for (const content of said.texts ?? []) deltas.push({ content })
  for (const [index, { id, name, arguments: input }] of (said.calls ?? []).entries()) {
    const json = JSON.stringify(input)
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of [json.slice(0, json.length / 2), json.slice(json.length / 2)])
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  return [
    ...deltas.map((delta) => chunkOf([{ index: 0, delta, logprobs: null, finish_reason: null }])),
    chunkOf([{ index: 0, delta: {}, logprobs: null, finish_reason: finishReason(said) }]),
    ...(figures ? [{ ...chunkOf([]), usage: saidUsage(figures) }] : []),
    '[DONE]',
  ]
}

/** Usage in OpenAI's form, with tokens read from and written to the cache. */
export function saidUsage(figures: Figures) {
  const { prompt, completion, cached, written, reasoning } = allFigures(figures)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, ...(written > 0 ? { cache_write_tokens: written } : {}) },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'as-the-vendor-calls-it' } as const

const chunkOf = (choices: readonly object[]) => ({ ...HEAD, object: 'chat.completion.chunk', choices })

function messageOf(said: Said): object {
  const tool_calls = (said.calls ?? []).map(({ id, name, arguments: input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return {
    role: 'assistant',
    content: said.texts ? textOf(said) : null,
    refusal: null,
    ...(said.thoughts === undefined ? {} : { reasoning_content: said.thoughts }),
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  }
}

const finishReason = ({ calls = [] }: Said): string => (calls.length > 0 ? 'tool_calls' : 'stop')
