/** Tokens that a vendor reports. */
export type Counted = Readonly<{ prompt?: number; completion?: number; cached?: number }>

/** A complete chat response in OpenAI's form, by default with 10 prompt and 5 completion tokens. */
export const chatAnswer = (content: string, counted: Counted = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'as-the-vendor-calls-it',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: usageOf(counted),
})

/**
 * The response as a stream: a chunk for each piece, the finish reason, then usage (left out with `null`) and `[DONE]`.
 */
export const chatStream = (pieces: readonly string[], counted: Counted | null = {}): (object | string)[] => [
  ...pieces.map((content, index) =>
    chunkOf([{ index: 0, delta: index > 0 ? { content } : { role: 'assistant', content } }]),
  ),
  chunkOf([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  ...(counted ? [{ ...chunkOf([]), usage: usageOf(counted) }] : []),
  '[DONE]',
]

export const usageOf = ({ prompt = 10, completion = 5, cached = 0 }: Counted) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...(cached > 0 ? { prompt_tokens_details: { cached_tokens: cached } } : {}),
})

const chunkOf = (choices: readonly object[]) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'as-the-vendor-calls-it',
  choices,
})
