import { isObject, numberIn, textIn } from '../../../base/json.ts'
import type { AnswerError } from '../provider.ts'

const OTHERS = 502

/** The error event of a stream (Dify API reference, "ChunkChatCompletionResponse"), which says its own status. */
export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json) || json.event !== 'error') return undefined
  const { status, code, message } = json
  const name = textIn(code) ?? ''
  return { status: numberIn(status) || OTHERS, message: textIn(message) || name, type: 'dify_error', code: name }
}
