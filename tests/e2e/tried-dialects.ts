import { messageAnswer, messageError, messageStream } from '../support/anthropic.ts'
import { geminiAnswer, geminiError, geminiStream } from '../support/gemini.ts'
import type { Said } from '../support/said.ts'
import type { Recorded, Script } from '../support/upstream.ts'

/** A vendor with its own dialect in the first-run page: its card, a valid key, and its responses. */
export type TriedDialect = Readonly<{
  card: string
  key: string
  model: string
  /** The path that the page shows for a call, after the vendor's address. */
  path: string
  good: (asked: Recorded) => Script
  /** Its refusals of a call, as in its public reference; the list of models still succeeds. */
  refusals: Readonly<
    Record<'wrong-key' | 'wrong-path' | 'no-such-model' | 'no-credit', Pick<Script, 'status' | 'body'>>
  >
}>

const hello: Said = { texts: ['Hello'] }
const clock: Said = { calls: [{ id: 'toolu_1', name: 'current_time', arguments: { city: 'Paris' } }] }
const page = { status: 404, body: '<html><body>Not Found</body></html>' } as const
const modelList = (...ids: string[]): Script => ({ body: { data: ids.map((id) => ({ id })) } })

const anthropic: TriedDialect = {
  card: 'Anthropic Claude',
  key: 'sk-ant-api03-a-good-key',
  model: 'claude-sonnet-4-5',
  path: '/v1/messages',
  good({ path, json }) {
    if (path === '/v1/models') return modelList('claude-sonnet-4-5', 'claude-haiku-4-5')
    if (json?.stream) return { events: messageStream(hello) }
    return { body: messageAnswer(json?.tools ? clock : hello) }
  },
  refusals: {
    'wrong-key': { status: 401, body: messageError('authentication_error', 'invalid x-api-key') },
    'wrong-path': page,
    'no-such-model': { status: 404, body: messageError('not_found_error', 'model: claude-sonnet-4-5') },
    'no-credit': {
      status: 400,
      body: messageError('invalid_request_error', 'Your credit balance is too low to access the API.'),
    },
  },
}

const gemini: TriedDialect = {
  card: 'Google Gemini',
  key: 'AIzaSyA-good-key-of-some-length',
  model: 'gemini-2.5-flash',
  path: '/v1beta/models/{model}:generateContent',
  good({ path, json }) {
    if (path.endsWith('/models')) return modelList('models/gemini-2.5-flash', 'models/gemini-2.5-pro')
    if (path.includes('alt=sse')) return { events: geminiStream(hello) }
    return { body: geminiAnswer(json?.tools ? clock : hello) }
  },
  refusals: {
    'wrong-key': {
      status: 400,
      body: geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Pass a valid API key.'),
    },
    'wrong-path': page,
    'no-such-model': {
      status: 404,
      body: geminiError(404, 'NOT_FOUND', 'models/gemini-2.5-flash is not found for API version v1beta.'),
    },
    'no-credit': {
      status: 429,
      body: geminiError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, check your plan and billing.'),
    },
  },
}

/** The dialects other than OpenAI's that the first-run page is tested with. */
export const triedDialects: readonly TriedDialect[] = [anthropic, gemini]
