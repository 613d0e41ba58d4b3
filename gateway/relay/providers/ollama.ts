import { present } from '../../base/json.ts'
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
  answer: ({ embeddings: vectors, prompt_eval_count }, asked) =>
    embeddingList(Array.isArray(vectors) ? vectors : [], prompt_eval_count, asked),
}

/** Ollama: OpenAI's wire for text, its own for embeddings. */
export const ollama: Provider = {
  ...elsewhere({
    chat: '/v1/chat/completions',
    completions: '/v1/completions',
    embeddings: '/api/embed',
  }),
  fetchesImageUrls: false,
  bridges: { embeddings },
}
