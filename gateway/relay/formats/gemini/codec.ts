import type { Codec } from '../codec.ts'
import { GeminiAnswerReader } from './answer-in.ts'
import { encodeAnswer } from './answer-out.ts'
import { decodeRequest } from './request-in.ts'
import { encodeRequest } from './request-out.ts'
import { AnswerStream } from './stream-out.ts'

/** Returns a source of ids that are identical in the conversation's next request, so that prompt caches are hit. */
function countedCallIds(): () => string {
  let count = 0
  return () => {
    count += 1
    return `call_${count}`
  }
}

/** `newCallId` creates ids, beginning with `call_`, for calls without one, since other dialects require them. */
export const gemini = (newCallId: () => string): Codec => ({
  format: 'gemini',
  decodeRequest: (wire, model, stream) => decodeRequest(wire, { model, stream }, countedCallIds()),
  encodeRequest,
  decodeAnswer: (wire) => new GeminiAnswerReader(newCallId).read(wire),
  encodeAnswer,
  decodeStream: () => new GeminiAnswerReader(newCallId),
  encodeStream: (frame) => new AnswerStream(frame),
})
