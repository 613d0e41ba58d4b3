import type { Call } from '../model/call.ts'
import { type AskedEndpoint, conversationFormat, isConversation } from '../model/endpoint.ts'

/** A call with nothing in it but what routing looks at. */
export const bareCall = (model: string, endpoint: AskedEndpoint, promptTokens: number): Call => {
  const format = isConversation(endpoint) ? conversationFormat[endpoint] : 'openai'
  return {
    route: { format, endpoint, playground: false },
    endpoint,
    format,
    bytes: Buffer.alloc(0),
    json: { model },
    spans: { members: [], depth: 0, end: 0 },
    form: null,
    model,
    stream: false,
    wantsUsage: false,
    maxOutput: 0,
    input: promptTokens,
    group: '',
  }
}
