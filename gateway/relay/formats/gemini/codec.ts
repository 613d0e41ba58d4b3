import type { Codec } from '../codec.ts'
import { GeminiAnswerReader } from './answer-in.ts'
import { encodeAnswer } from './answer-out.ts'
import { decodeRequest } from './request-in.ts'
import { encodeRequest } from './request-out.ts'
import { AnswerStream } from './stream-out.ts'

/** Ids for the calls of one request: the same in the conversation's next request, or no prompt cache would be hit. */
function countedCallIds(): () => string {
  let count = 0
  return () => {
    count += 1
    return `call_${count}`
  }
}

/** Gemini's generateContent. `newCallId` makes ids for calls that come without one, which other dialects cannot do without; they begin with `call_`. */
export const gemini = (newCallId: () => string): Codec => ({
  format: 'gemini',
  decodeRequest: (wire, model, stream) => decodeRequest(wire, { model, stream }, countedCallIds()),
  encodeRequest,
  decodeAnswer: (wire) => new GeminiAnswerReader(newCallId).read(wire),
  encodeAnswer,
  decodeStream: () => new GeminiAnswerReader(newCallId),
  encodeStream: (frame) => new AnswerStream(frame),
})
