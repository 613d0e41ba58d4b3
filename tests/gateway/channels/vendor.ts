import { saidAnswer, saidStream } from '../../support/chat-said.ts'
import { responseAnswer, responseStream } from '../../support/responses.ts'
import type { Recorded, Script } from '../../support/upstream.ts'

const called = { calls: [{ id: 'call_1', name: 'current_time', arguments: { city: 'Paris' } }] }
const said = { texts: ['Hello'] }
const completion = {
  id: 'cmpl-1',
  object: 'text_completion',
  choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }],
}

/** Responses of a vendor with all of OpenAI's endpoints. */
const endpoints: Readonly<Record<string, (asked: Recorded['json']) => Script>> = {
  '/v1/chat/completions': ({ stream, tools }) =>
    stream ? { events: saidStream(said) } : { body: saidAnswer(tools ? called : said) },
  '/v1/responses': ({ stream, tools }) =>
    stream ? { events: responseStream(said) } : { body: responseAnswer(tools ? called : said) },
  '/v1/completions': ({ stream }) => (stream ? { events: [completion, '[DONE]'] } : { body: completion }),
  '/v1/embeddings': () => ({
    body: { object: 'list', data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2, total_tokens: 2 } },
  }),
  '/v1/rerank': () => ({
    body: {
      results: [
        { index: 0, relevance_score: 0.9 },
        { index: 1, relevance_score: 0.1 },
      ],
      usage: { total_tokens: 9 },
    },
  }),
  '/v1/images/generations': () => ({ body: { created: 1, data: [{ b64_json: 'aGk=' }] } }),
}

/** A vendor that supports every endpoint of OpenAI; other paths are 404. */
export const ableVendor = ({ path, json }: Recorded): Script =>
  endpoints[path]?.(json) ?? { status: 404, body: { error: { message: 'no such page' } } }
