import type { FinishReason } from '../events.ts'

/** docs/reference/conversion.md#stop-reasons; unknown words are passed on. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filter',
}

/** Reasons that this dialect does not distinguish become `stop`. */
const words: Readonly<Record<string, string>> = {
  'stop-sequence': 'stop',
  pause: 'stop',
  'tool-calls': 'tool_calls',
  filter: 'content_filter',
}

export const finishIn = (reason: string): FinishReason => reasons[reason] ?? reason

/**
 * A response with tool calls ends with `tool_calls`, unless it was truncated or filtered: a client must know that
 * before it runs anything.
 */
export function finishOut(reason: FinishReason | undefined, hasCalls: boolean): string {
  const word = words[reason ?? 'stop'] ?? reason ?? 'stop'
  return hasCalls && word === 'stop' ? 'tool_calls' : word
}
