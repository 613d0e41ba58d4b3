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
