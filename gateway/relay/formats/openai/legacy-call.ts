import { isObject } from '../../../base/json/json.ts'
import type { AnswerFrame, Json } from '../codec.ts'

/** Whether the client declared its tools as the deprecated `functions`: it expects a `function_call`, and only one. */
export const offersFunctions = ({ request }: Pick<AnswerFrame, 'request'>): boolean =>
  Array.isArray(request.functions) && !Array.isArray(request.tools)

export function functionCallOf(items: readonly Json[]): Json {
  const first = items.find((item) => (item.index ?? 0) === 0)
  return isObject(first?.function) ? { function_call: first.function } : {}
}

export const legacyFinish = (reason: string): string => (reason === 'tool_calls' ? 'function_call' : reason)
