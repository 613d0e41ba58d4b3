import { chunks, EVENT_STREAM } from '../../gateway/relay/providers/aws/bedrock.ts'
import { messageAnswer, messageStream } from '../anthropic.ts'
import type { Recorded } from '../upstream.ts'
import { messagesFaults, messagesSchema, messagesThink, messagesTools } from './anthropic.ts'
import { rule, type Vendor } from './vendor.ts'

const hosted = messagesSchema('bedrock')

/** Claude on Amazon Bedrock by InvokeModel: no model, stream or metadata in the body, and the betas that Amazon lists. */
export const bedrock: Vendor = {
  faults: (asked) => [
    ...rule(String(asked.headers.authorization).startsWith('AWS4-HMAC-SHA256 '), 'the request must be signed'),
    ...rule(modelOf(asked) !== undefined, `no such path ${asked.path}`),
    ...messagesFaults(hosted, asked.json, modelOf(asked)),
    ...betasOf(asked).flatMap((beta) => rule(betas.includes(beta), `anthropic_beta: invalid beta flag ${beta}`)),
    ...rule(
      betasOf(asked).includes('tool-search-tool-2025-10-19') || !asked.text.includes('"defer_loading":'),
      'tools: defer_loading needs the beta of tool search',
    ),
  ],
  tools: messagesTools,
  thinks: messagesThink,
  says: (asked, said, figures) =>
    isStream(asked)
      ? { headers: EVENT_STREAM, events: chunks(messageStream(said, figures)) }
      : { body: messageAnswer(said, figures) },
  refuses: (_, status, message) => ({
    status,
    headers: { 'x-amzn-errortype': status === 429 ? 'ThrottlingException' : 'ValidationException' },
    body: { message },
  }),
}

const isStream = ({ path }: Recorded): boolean => path.endsWith('/invoke-with-response-stream')

const modelOf = ({ path }: Recorded): string | undefined =>
  /^\/model\/([^/]+)\/invoke(?:-with-response-stream)?$/.exec(path)?.[1]

const betasOf = ({ json }: Recorded): readonly string[] => json.anthropic_beta ?? []

const betas: readonly string[] = [
  'computer-use-2025-01-24',
  'token-efficient-tools-2025-02-19',
  'Interleaved-thinking-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
  'fine-grained-tool-streaming-2025-05-14',
]
