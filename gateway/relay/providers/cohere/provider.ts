import { elsewhere } from '../openai-family.ts'
import type { Provider } from '../provider.ts'
import { createLineFrames, decodeAnswer, decodeStream } from './answer.ts'
import { embeddings, rerank } from './bridges.ts'
import { encodeRequest } from './request.ts'

/** Cohere (spec/relay.md §2.3 "cohere"): a chat of its own, ranking and embeddings. */
export const cohere: Provider = {
  ...elsewhere({ own: '/v1/chat', rerank: '/v1/rerank', embeddings: '/v2/embed' }),
  wire: { encodeRequest, decodeAnswer, decodeStream, frames: createLineFrames },
  bridges: { rerank, embeddings },
}
