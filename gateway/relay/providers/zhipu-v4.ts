import { isObject } from '../../base/json/json.ts'
import { messagesEdit, withImages } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import { topPWithin } from './own-fields.ts'
import type { Provider } from './provider.ts'

const MIN_TOP_P = 0.01
const MAX_TOP_P = 0.99
const DATA_URL = /^data:[^,]*,/

/**
 * Zhipu's GLM API, version 4, whose keys may be sent unchanged (docs/reference/channel-types.md#zhipu-glm-version-4).
 */
export const zhipuV4: Provider = {
  ...elsewhere({
    chat: '/api/paas/v4/chat/completions',
    embeddings: '/api/paas/v4/embeddings',
    images: '/api/paas/v4/images/generations',
  }),
  patchBody(json, { endpoint }) {
    if (endpoint !== 'chat') return new Map()
    const { stop, max_completion_tokens, max_tokens } = json
    return new Map([
      ...topPWithin(json, MIN_TOP_P, MAX_TOP_P),
      ...(typeof stop === 'string' ? [['stop', [stop]] as const] : []),
      ...(max_completion_tokens === undefined
        ? []
        : [
            ['max_completion_tokens', undefined] as const,
            ['max_tokens', max_tokens ?? max_completion_tokens] as const,
          ]),
      ...messagesEdit(json, (message) => withImages(message, bareImage)),
    ])
  },
}

const bareImage = (url: string, image: unknown): unknown => {
  const bare = url.replace(DATA_URL, '')
  return isObject(image) ? { ...image, url: bare } : { url: bare }
}
