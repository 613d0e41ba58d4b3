import { messageAnswer, messageError, messageStream } from '../../../support/anthropic.ts'
import { saidAnswer, saidStream } from '../../../support/chat-said.ts'
import { geminiAnswer, geminiError, geminiStream } from '../../../support/gemini.ts'
import { responseAnswer, responseStream } from '../../../support/responses.ts'
import { type Figures, namedEvent, type Said } from '../../../support/said.ts'
import type { Recorded, Script, StreamEvent } from '../../../support/upstream.ts'

/** A dialect of the fake vendor, selected by the requested path. */
type Voice = Readonly<{
  whole(said: Said, figures: Figures | null): object
  stream(said: Said, figures: Figures | null): readonly StreamEvent[]
  /** The number of events before a stream's first piece of text. */
  before: number
  error(message: string): StreamEvent
  isStream(request: Recorded): boolean
}>

const asked = ({ json }: Recorded): boolean => json.stream === true

const voices: readonly (readonly [RegExp, Voice])[] = [
  [
    /^\/v1\/chat/,
    {
      whole: saidAnswer,
      stream: saidStream,
      before: 1,
      error: (message) => ({ error: { message, type: 'server_error' } }),
      isStream: asked,
    },
  ],
  [
    /^\/v1\/responses/,
    {
      whole: responseAnswer,
      stream: responseStream,
      before: 4,
      error: (message) => namedEvent('error', { type: 'error', code: 'server_error', message, param: null }),
      isStream: asked,
    },
  ],
  [
    /^\/v1\/messages/,
    {
      whole: messageAnswer,
      stream: messageStream,
      before: 3,
      error: (message) => namedEvent('error', messageError('overloaded_error', message)),
      isStream: asked,
    },
  ],
  [
    /^\/v1beta\/models/,
    {
      whole: geminiAnswer,
      stream: geminiStream,
      before: 0,
      error: (message) => geminiError(503, 'UNAVAILABLE', message),
      isStream: ({ path }) => path.includes(':streamGenerateContent'),
    },
  ],
]

const voiceOf = ({ path }: Recorded): Voice =>
  voices.find(([pattern]) => pattern.test(path))?.[1] ?? fail(`nobody answers ${path}`)

/** A successful response in the dialect of the path, streamed if requested; `otherwise` inverts this. */
export function answered(request: Recorded, said: Said, figures: Figures | null, otherwise = false): Script {
  const voice = voiceOf(request)
  return voice.isStream(request) !== otherwise
    ? { events: voice.stream(said, figures) }
    : { body: voice.whole(said, figures) }
}

/** The beginning of a stream, up to and including this many pieces of text. */
export function begun(request: Recorded, said: Said, figures: Figures | null, pieces: number): readonly StreamEvent[] {
  const voice = voiceOf(request)
  return voice.stream(said, figures).slice(0, voice.before + pieces)
}

/** An error event in a stream, in the dialect of the path. */
export const errorEvent = (request: Recorded, message: string): StreamEvent => voiceOf(request).error(message)

export const wantsStream = (request: Recorded): boolean => voiceOf(request).isStream(request)

function fail(why: string): never {
  throw new Error(why)
}
