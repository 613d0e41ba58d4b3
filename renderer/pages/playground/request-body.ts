import type { Sent } from './conversation.ts'
import type { PlaySettings } from './settings.ts'

/** What is sent for an answer, in OpenAI's Chat dialect; the group alone is named beside it, for the account's session. */
export const requestBody = (
  messages: readonly Sent[],
  { model, temperature, maxTokens }: Pick<PlaySettings, 'model' | 'temperature' | 'maxTokens'>,
) => ({
  messages,
  stream: true,
  stream_options: { include_usage: true },
  model,
  temperature,
  ...(maxTokens > 0 ? { max_tokens: maxTokens } : {}),
})
