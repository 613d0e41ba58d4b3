import { aliImages, drawn } from './ali-images.ts'
import { elsewhere } from './openai-family.ts'
import { aliRerank, topPWithin } from './own-fields.ts'
import type { Provider } from './provider.ts'

const MIN_TOP_P = 0.001
const MAX_TOP_P = 0.999

const offered = elsewhere({
  chat: '/compatible-mode/v1/chat/completions',
  completions: '/compatible-mode/v1/completions',
  embeddings: '/compatible-mode/v1/embeddings',
  rerank: '/api/v1/services/rerank/text-rerank/text-rerank',
  images: '/api/v1/services/aigc/text2image/image-synthesis',
})

/**
 * Alibaba's DashScope: OpenAI's wire format for text, its own for ranking and images
 * (docs/reference/channel-types.md#alibaba-dashscope).
 */
export const ali: Provider = {
  ...offered,
  headers: (target) => ({
    ...offered.headers(target),
    ...(target.stream && { 'x-dashscope-sse': 'enable' }),
    ...(target.channel.other && { 'x-dashscope-plugin': target.channel.other }),
    ...(target.endpoint === 'images' && { 'x-dashscope-async': 'enable' }),
  }),
  bridges: { rerank: aliRerank, images: aliImages },
  patchBody(json, { endpoint, stream }, drop) {
    if (endpoint !== 'chat' && endpoint !== 'completions') return new Map()
    const unthinking = endpoint === 'chat' && !stream ? [['enable_thinking', false] as const] : []
    const edits = new Map<string, unknown>([...topPWithin(json, MIN_TOP_P, MAX_TOP_P), ...unthinking])
    if (unthinking.length === 0) return edits
    if (json.enable_thinking === true) drop('enable_thinking')
    if (json.reasoning_effort !== undefined) {
      drop('reasoning_effort')
      edits.set('reasoning_effort', undefined)
    }
    return edits
  },
  dial: (target, sent, tools) =>
    target.endpoint === 'images'
      ? drawn(target, sent, tools)
      : tools.request(sent.url, { method: 'POST', headers: sent.headers, bytes: sent.bytes }),
}
