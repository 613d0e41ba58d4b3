import { isObject } from '../../../base/json/json.ts'
import type { AnswerFrame, Json } from '../codec.ts'

/** Whether the client offered its tools as the deprecated `functions`: it expects a `function_call`, and one alone. */
export const offersFunctions = ({ request }: Pick<AnswerFrame, 'request'>): boolean =>
  Array.isArray(request.functions) && !Array.isArray(request.tools)

/** Items of `tool_calls` as the member that such a client reads: of the first call, as it knows no others. */
export function functionCallOf(items: readonly Json[]): Json {
  const first = items.find((item) => (item.index ?? 0) === 0)
  return isObject(first?.function) ? { function_call: first.function } : {}
}

/** The finish reason that such a client knows. */
export const legacyFinish = (reason: string): string => (reason === 'tool_calls' ? 'function_call' : reason)
