import type { FinishReason } from '../events.ts'

/** docs/reference/conversion.md#stop-reasons */
const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'filter',
  pause_turn: 'pause',
}

const words: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  filter: 'refusal',
  pause: 'pause_turn',
}

/** Unknown words are returned unchanged. */
export const reasonIn = (word: string): FinishReason => (Object.hasOwn(reasons, word) ? (reasons[word] ?? word) : word)

/** Returns `tool_use` for a response that ended normally with tool calls. */
export function reasonOut(reason: FinishReason | undefined, callsTools: boolean): string {
  if (reason === undefined || reason === 'stop') return callsTools ? 'tool_use' : 'end_turn'
  return Object.hasOwn(words, reason) ? (words[reason] ?? reason) : reason
}
