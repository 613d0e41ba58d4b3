import { sha256 } from '../../../base/ids.ts'
import type { RequestTarget } from '../codec.ts'

const MAX_LENGTH = 40

/** Max characters of a response's id that are read for the ids of its calls. */
export const ANSWER_ID_READ = 256

/** Returns an id for a call without one: always the same for the same call of the same response. */
export const ownCallId = (answerId: string, choice: number, call: number): string =>
  shortId(`${answerId.slice(0, ANSWER_ID_READ)}:${choice}:${call}`)

/** Returns the id of a call for the target; the same for the call and its result. */
export const callIdOut = (id: string, target: Pick<RequestTarget, 'strictOpenai'>): string =>
  target.strictOpenai && id.length > MAX_LENGTH ? shortId(id) : id

/** Deterministic, and as long as OpenAI's own ids. */
const shortId = (text: string): string => `call_${sha256(text).slice(0, 24)}`
