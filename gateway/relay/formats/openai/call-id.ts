import { sha256 } from '../../../base/ids.ts'
import type { RequestTarget } from '../codec.ts'

/** OpenAI takes no longer ids of tool calls. */
const MAX_LENGTH = 40

/** As much of an answer's id makes those of its calls: each of them reads it. */
export const ANSWER_ID_READ = 256

/** The id of a call that has none: always the same for the same call of the same answer. */
export const ownCallId = (answerId: string, choice: number, call: number): string =>
  shortId(`${answerId.slice(0, ANSWER_ID_READ)}:${choice}:${call}`)

/** The id of a call as the target takes it; the call and its result are given the same. */
export const callIdOut = (id: string, target: Pick<RequestTarget, 'strictOpenai'>): string =>
  target.strictOpenai && id.length > MAX_LENGTH ? shortId(id) : id

/** One text always has one id, of the length that OpenAI's own have. */
const shortId = (text: string): string => `call_${sha256(text).slice(0, 24)}`
