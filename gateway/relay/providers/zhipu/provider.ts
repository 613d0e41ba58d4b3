import { SignJWT } from 'jose'
import { sha256 } from '../../../base/ids.ts'
import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation } from '../../formats/conversation.ts'
import { refuseFunctions } from '../functions.ts'
import { plainTurns, systemAsUser } from '../plain-turns.ts'
import type { AccessTokens, Provider } from '../provider.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'
import { decodeAnswer, decodeStream, errorIn } from './answer.ts'
import { createFrameReader } from './frames.ts'

/**
 * Zhipu's ChatGLM in its third interface (docs/reference/channel-types.md#zhipu-chatglm-third-interface): the model and
 * whether to stream are in the path.
 */
export const zhipu: Provider = {
  ignoresOutputLimit: true,
  paths: {
    own: ({ channel, model, stream }) =>
      `${channel.baseUrl}/api/paas/v3/model-api/${encodeURIComponent(model)}/${stream ? 'sse-invoke' : 'invoke'}`,
  },
  headers: () => ({}),
  sign: async ({ channel, accessTokens }, _, { now }) => ({
    authorization: await cachedToken(channel.key, accessTokens, now),
  }),
  wire: { encodeRequest, decodeAnswer, decodeStream, frames: createFrameReader },
  errorIn,
}

const MAX_TOP_P = 0.99

/**
 * Writes a request of ChatGLM's third interface (docs/reference/channel-types.md#zhipu-chatglm-third-interface);
 * streams are requested incrementally.
 */
function encodeRequest(conversation: Conversation, { drop }: RequestTarget): Json {
  const { temperature, topP, stream } = conversation
  const own = ownMembers(conversation, FIELDS, drop)
  refuseFunctions(conversation, FIELDS.vendor, drop)
  const turns = systemAsUser(plainTurns(conversation, FIELDS.vendor, drop))
  return present({
    ...own,
    prompt: turns.map(({ role, text }) => ({ role, content: text })),
    temperature,
    top_p: topP === undefined ? undefined : Math.min(topP, MAX_TOP_P),
    incremental: stream ? true : undefined,
  })
}

const FIELDS: VendorFields = {
  vendor: 'Zhipu',
  fields: ['temperature', 'topP'],
  own: ['ref', 'request_id', 'return_type'],
}

const DAY = 24 * 3600

/**
 * Returns the signed token of a key `id.secret`, renewed once a day
 * (docs/reference/channel-types.md#zhipu-chatglm-third-interface).
 */
const cachedToken = (key: string, accessTokens: AccessTokens, now: () => number): Promise<string> =>
  accessTokens.token(`zhipu ${sha256(key)}`, async () => ({ token: await signedToken(key, now()), seconds: DAY }))

/**
 * Returns a JSON Web Token (RFC 7515, HS256) with the vendor's own header `sign_type`; its times are in milliseconds.
 */
export function signedToken(key: string, nowMs: number): Promise<string> {
  const [id = '', secret = ''] = key.trim().split('.')
  const claims = { api_key: id, exp: nowMs + DAY * 1000, timestamp: nowMs }
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN' })
  return token.sign(Buffer.from(secret))
}
