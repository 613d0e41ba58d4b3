import type { Sent } from './conversation.ts'
import type { PlaySettings } from './settings.ts'

/** The request body in OpenAI's Chat format, without `group`, which only calls by session add. */
export const requestBody = (
  messages: readonly Sent[],
  { model, temperature, topP, frequencyPenalty, presencePenalty, maxTokens }: Omit<PlaySettings, 'group' | 'system'>,
) => ({
  messages,
  stream: true,
  stream_options: { include_usage: true },
  model,
  temperature,
  ...(topP < 1 ? { top_p: topP } : {}),
  ...(frequencyPenalty === 0 ? {} : { frequency_penalty: frequencyPenalty }),
  ...(presencePenalty === 0 ? {} : { presence_penalty: presencePenalty }),
  ...(maxTokens > 0 ? { max_tokens: maxTokens } : {}),
})
