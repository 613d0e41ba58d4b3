import type { Provider } from '../provider.ts'
import { decodeAnswer, decodeStream, errorIn } from './answer.ts'
import { createFrameReader } from './frames.ts'
import { encodeRequest } from './request.ts'
import { keptToken } from './token.ts'

/** Zhipu's ChatGLM in its third interface (spec/relay.md §2.3 "zhipu"): the model and the manner stand in the path. */
export const zhipu: Provider = {
  paths: {
    own: ({ channel, model, stream }) =>
      `${channel.baseUrl}/api/paas/v3/model-api/${encodeURIComponent(model)}/${stream ? 'sse-invoke' : 'invoke'}`,
  },
  headers: () => ({}),
  sign: async ({ channel, accessTokens }, _, { now }) => ({
    authorization: await keptToken(channel.key, accessTokens, now),
  }),
  wire: { encodeRequest, decodeAnswer, decodeStream, frames: createFrameReader },
  errorIn,
}
