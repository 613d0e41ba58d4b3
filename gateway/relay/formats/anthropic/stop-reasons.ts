import type { FinishReason } from '../events.ts'

/** Why an answer ended, in the vendor's words (docs/reference/conversion.md#stop-reasons). */
const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'filter',
  pause_turn: 'pause',
}

/** Anthropic's stop reason for a reason of the conversation. */
const words: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  filter: 'refusal',
  pause: 'pause_turn',
}

/** The reason a `stop_reason` gives; words that are not known mean themselves. */
export const reasonIn = (word: string): FinishReason => (Object.hasOwn(reasons, word) ? (reasons[word] ?? word) : word)

/** The `stop_reason` of an answer: one that simply ended after calling tools ended in order to use them. */
export function reasonOut(reason: FinishReason | undefined, callsTools: boolean): string {
  if (reason === undefined || reason === 'stop') return callsTools ? 'tool_use' : 'end_turn'
  return Object.hasOwn(words, reason) ? (words[reason] ?? reason) : reason
}
