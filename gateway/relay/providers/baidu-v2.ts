import { elsewhere } from './openai-family.ts'
import type { NamedModel, Provider } from './provider.ts'

const SEARCHING = /^(.+)-search$/
const search = { enable: true, enable_citation: true, enable_trace: true, enable_status: false }

/**
 * Baidu Qianfan V2: the key may include an application, and a model's name may enable search
 * (docs/reference/channel-types.md#baidu-qianfan-v2).
 */
export const baiduV2: Provider = {
  ...elsewhere({
    chat: '/v2/chat/completions',
    embeddings: '/v2/embeddings',
    images: '/v2/images/generations',
    rerank: '/v2/rerank',
  }),
  headers({ channel }) {
    const [secret = '', appid] = channel.key.split('|')
    return { authorization: `Bearer ${secret}`, ...(appid ? { appid } : {}) }
  },
  parseModelName(name): NamedModel {
    const [, model] = SEARCHING.exec(name) ?? []
    return model ? { model, members: { web_search: search } } : { model: name }
  },
}
