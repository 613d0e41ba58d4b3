import type { Codec } from '../codec.ts'
import { decodeAnswer } from './answer-in.ts'
import { encodeAnswer } from './answer-out.ts'
import { decodeRequest } from './request-in.ts'
import { encodeRequest } from './request-out.ts'
import { decodeStream } from './stream-in.ts'
import { encodeStream } from './stream-out.ts'

/** OpenAI's Responses API: requests of `POST /v1/responses`, their answers and their streams. */
export const responses: Codec = {
  format: 'responses',
  decodeRequest,
  encodeRequest,
  decodeAnswer,
  encodeAnswer,
  decodeStream,
  encodeStream,
}
