import { elsewhere } from './openai-family.ts'
import type { Provider } from './provider.ts'
import { inputTexts } from './vectors.ts'

/**
 * MokaAI: embeddings of its m3e models, which accept a list of texts
 * (docs/reference/channel-types.md#siliconflow-jina-mokaai-ollama-xinference).
 */
export const mokaai: Provider = {
  ...elsewhere({ embeddings: '/embeddings' }),
  patchBody: (json) => new Map([['input', inputTexts('MokaAI', json)]]),
}
