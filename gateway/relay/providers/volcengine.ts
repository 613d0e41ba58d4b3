import { elsewhere } from './openai-family.ts'
import type { Provider } from './provider.ts'

const offered = elsewhere({
  chat: '/api/v3/chat/completions',
  embeddings: '/api/v3/embeddings',
  images: '/api/v3/images/generations',
})

/**
 * Volcengine Ark: bots, whose id replaces the model, have their own path
 * (docs/reference/channel-types.md#volcengine-ark).
 */
export const volcengine: Provider = {
  ...offered,
  excludesReasoning: true,
  paths: {
    ...offered.paths,
    chat: ({ channel, model }) => `${channel.baseUrl}/api/v3/${model.startsWith('bot') ? 'bots/' : ''}chat/completions`,
  },
}
