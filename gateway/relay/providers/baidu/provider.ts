import { baiduName } from '../../../../shared/baidu-models.ts'
import { sha256 } from '../../../base/ids.ts'
import { numberIn, objectsIn, present, textIn } from '../../../base/json/json.ts'
import type { Bridge, DialTools, Provider, Target } from '../provider.ts'
import { dropOthers, embeddingList, inputTexts } from '../vectors.ts'
import { decodeAnswer, decodeStream } from './answer.ts'
import { errorIn } from './errors.ts'
import { VENDOR } from './messages.ts'
import { encodeRequest } from './request.ts'

const below = (task: 'chat' | 'embeddings') => (target: Target) =>
  `${target.channel.baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${task}/${encodeURIComponent(baiduName(target.model))}`

const embeddings: Bridge = {
  request(json, _, drop) {
    dropOthers(json, ['input', 'encoding_format', 'user'], drop)
    return present({ input: inputTexts(VENDOR, json), user_id: json.user ?? undefined })
  },
  answer({ data, usage }, signedUrl) {
    const [figures] = objectsIn([usage])
    const vectors = objectsIn(data).map(({ embedding }) => embedding)
    return embeddingList(vectors, figures?.prompt_tokens, signedUrl)
  },
}

/**
 * Baidu's Qianfan in its first interface (docs/reference/channel-types.md#baidu-qianfan-first-interface): the key is
 * exchanged for an access token, which is in the query of every call.
 */
export const baidu: Provider = {
  paths: { own: below('chat'), embeddings: below('embeddings') },
  headers: () => ({}),
  wire: { encodeRequest, decodeAnswer, decodeStream },
  bridges: { embeddings },
  errorIn,
  async dial(target, { url, bytes, headers }, tools) {
    const signedUrl = new URL(url)
    signedUrl.searchParams.set('access_token', await accessToken(target, tools))
    return tools.request(signedUrl, { method: 'POST', headers, bytes })
  },
}

const MONTH = 30 * 24 * 3600

/**
 * Returns the access token for a key `APIKey|SecretKey` ("Get access_token"), valid for 30 days unless the vendor
 * returns another lifetime.
 */
function accessToken({ channel, accessTokens }: Target, { requestJson }: DialTools): Promise<string> {
  return accessTokens.token(`baidu ${channel.baseUrl} ${sha256(channel.key)}`, async () => {
    const [id = '', secret = ''] = channel.key.split('|')
    const url = new URL(`${channel.baseUrl}/oauth/2.0/token`)
    url.search = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id.trim(),
      client_secret: secret.trim(),
    }).toString()
    const { access_token, expires_in } = await requestJson(url, {
      method: 'POST',
      headers: { accept: 'application/json' },
    })
    const token = textIn(access_token)
    if (!token) throw new Error('the provider returned no access token')
    return { token, seconds: numberIn(expires_in) ?? MONTH }
  })
}
