import type { FinishReason } from '../events.ts'

/**
 * The finish reasons of docs/reference/conversion.md#stop-reasons; words that are not here are passed on as they are.
 */
const read: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filter',
}

/** What this dialect does not tell apart is its plain end. */
const written: Readonly<Record<string, string>> = {
  'stop-sequence': 'stop',
  pause: 'stop',
  'tool-calls': 'tool_calls',
  filter: 'content_filter',
}

/** A `finish_reason` as it is known here. */
export const finishIn = (reason: string): FinishReason => read[reason] ?? reason

/**
 * A reason as this dialect has it. An answer that called tools ends with them, unless it was cut off or filtered, which
 * a client must know of before it runs anything.
 */
export function finishOut(reason: FinishReason | undefined, hasCalls: boolean): string {
  const word = written[reason ?? 'stop'] ?? reason ?? 'stop'
  return hasCalls && word === 'stop' ? 'tool_calls' : word
}
