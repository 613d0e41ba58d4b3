import { objectIn, objectsIn } from '../../../base/json/json.ts'
import type { Bridge, Headers, Provider, Target } from '../provider.ts'
import { dropOthers, embeddingList, inputTexts } from '../vectors.ts'
import { decodeAnswer, decodeStream } from './answer.ts'
import { errorIn } from './errors.ts'
import { VENDOR } from './messages.ts'
import { encodeRequest } from './request.ts'
import { authorization } from './signature.ts'

const VERSION = '2023-09-01'
const SERVICE = 'hunyuan'

const root = ({ channel }: Target) => `${channel.baseUrl}/`

/** Hunyuan's `GetEmbedding`, which has one model. */
const embeddings: Bridge = {
  request(json, _, drop) {
    dropOthers(json, ['input', 'encoding_format'], drop)
    return { InputList: inputTexts(VENDOR, json) }
  },
  answer({ Response }, original) {
    const { Data, Usage } = objectIn(Response)
    const vectors = objectsIn(Data).map(({ Embedding }) => Embedding)
    return embeddingList(vectors, objectIn(Usage).TotalTokens, original)
  },
}

/**
 * Tencent's Hunyuan (docs/reference/channel-types.md#tencent-hunyuan): one path, the action in a header, every call
 * signed.
 */
export const tencent: Provider = {
  ignoresOutputLimit: true,
  paths: { own: root, embeddings: root },
  headers: (target) => ({ 'x-tc-action': actionOf(target), 'x-tc-version': VERSION }),
  async sign(target, { url, bytes, headers }, { now }): Promise<Headers> {
    const [, secretId = '', secretKey = ''] = target.channel.key.split('|').map((part) => part.trim())
    const timestamp = Math.floor(now() / 1000)
    const contentType = headers['content-type'] ?? ''
    const call = { host: url.host, service: SERVICE, action: actionOf(target), contentType, bytes, timestamp }
    return { authorization: authorization(call, secretId, secretKey), 'x-tc-timestamp': String(timestamp) }
  },
  wire: { encodeRequest, decodeAnswer, decodeStream },
  bridges: { embeddings },
  errorIn,
}

const actionOf = ({ endpoint }: Target): string => (endpoint === 'embeddings' ? 'GetEmbedding' : 'ChatCompletions')
