import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, OutputFormat } from '../../formats/conversation.ts'
import { elsewhere } from '../openai-family.ts'
import type { Provider } from '../provider.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'
import { createLineFrames, decodeAnswer, decodeStream } from './answer.ts'
import { embeddings, rerank } from './bridges.ts'
import { historyOut, VENDOR } from './history.ts'
import { toolsOut } from './tools.ts'

const DEFAULT_MAX_OUTPUT = 4000
const MIN_P = 0.01
const MAX_P = 0.99

/**
 * Writes a request of Cohere's first chat interface: the latest message, and the history
 * (docs/reference/channel-types.md#cohere).
 */
function encodeRequest(conversation: Conversation, { model, drop }: RequestTarget): Json {
  const { temperature, topP, topK, seed, stop, maxOutput, stream, output } = conversation
  const own = ownMembers(conversation, FIELDS, drop)
  return present({
    ...own,
    model,
    ...historyOut(conversation, drop),
    ...toolsOut(conversation, drop),
    stream: stream ? true : undefined,
    max_tokens: maxOutput ?? DEFAULT_MAX_OUTPUT,
    temperature,
    p: topP === undefined ? undefined : Math.min(Math.max(topP, MIN_P), MAX_P),
    k: topK,
    seed,
    stop_sequences: stop,
    frequency_penalty: conversation.frequencyPenalty,
    presence_penalty: conversation.presencePenalty,
    response_format: output && formatOut(output),
  })
}

const FIELDS: VendorFields = {
  vendor: VENDOR,
  fields: ['temperature', 'topP', 'topK', 'seed', 'stop', 'maxOutput', 'frequencyPenalty', 'presencePenalty', 'output'],
  own: [
    'preamble',
    'prompt_truncation',
    'connectors',
    'search_queries_only',
    'documents',
    'citation_quality',
    'max_input_tokens',
    'raw_prompting',
    'force_single_step',
    'safety_mode',
  ],
}

const formatOut = (output: OutputFormat): Json =>
  output.type === 'json' ? { type: 'json_object' } : { type: 'json_object', schema: output.schema }

/** Cohere (docs/reference/channel-types.md#cohere): its own chat API, ranking and embeddings. */
export const cohere: Provider = {
  ...elsewhere({ own: '/v1/chat', rerank: '/v1/rerank', embeddings: '/v2/embed' }),
  wire: { encodeRequest, decodeAnswer, decodeStream, frames: createLineFrames },
  bridges: { rerank, embeddings },
}
