import type { Codec } from '../codec.ts'
import { decodeAnswer, decodeStream } from './answer-in.ts'
import { encodeAnswer } from './answer-out.ts'
import { decodeRequest } from './request-in.ts'
import { encodeRequest } from './request-out.ts'
import { encodeStream } from './stream-out.ts'

export const openai: Codec = {
  format: 'openai',
  decodeRequest,
  encodeRequest,
  decodeAnswer,
  encodeAnswer,
  decodeStream,
  encodeStream,
}
