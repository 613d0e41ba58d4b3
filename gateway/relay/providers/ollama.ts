import { type JsonObject, present } from '../../base/json/json.ts'
import { limitEdits, reportIgnoredParams, seldomTaken } from './ignored-params.ts'
import { messagesEdit } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import type { Bridge, Provider } from './provider.ts'
import { dropOthers, embeddingList, inputTexts } from './vectors.ts'

/**
 * Ollama's own `/api/embed` (Ollama's API reference): one vector for each text
 * (docs/reference/channel-types.md#siliconflow-jina-mokaai-ollama-xinference).
 */
const embeddings: Bridge = {
  request(json, { model }, drop) {
    dropOthers(json, ['input', 'dimensions', 'encoding_format', 'options', 'truncate', 'keep_alive'], drop)
    const { dimensions, options, truncate, keep_alive } = json
    return present({ model, input: inputTexts('Ollama', json), dimensions, options, truncate, keep_alive })
  },
  answer: ({ embeddings: vectors, prompt_eval_count }, original) =>
    embeddingList(Array.isArray(vectors) ? vectors : [], prompt_eval_count, original),
}

/**
 * Ollama: OpenAI's wire format for text, partly supported and with reasoning in `reasoning`; its own for embeddings.
 */
export const ollama: Provider = {
  ...elsewhere({
    chat: '/v1/chat/completions',
    completions: '/v1/completions',
    embeddings: '/api/embed',
  }),
  fetchesImageUrls: false,
  bridges: { embeddings },
  patchBody(json, { endpoint }, drop) {
    if (endpoint !== 'chat') return NOTHING
    reportIgnoredParams(json, seldomTaken, drop)
    return new Map([...messagesEdit(json, withThoughts), ...limitEdits(json)])
  },
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** Renames the reasoning member (Ollama's page "OpenAI compatibility"). */
function withThoughts(message: JsonObject): JsonObject {
  const { reasoning_content, ...others } = message
  if (typeof reasoning_content !== 'string') return message
  return { ...others, reasoning: others.reasoning ?? reasoning_content }
}
