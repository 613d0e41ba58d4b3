import type { Conversation } from '../formats/conversation.ts'
import { isThinking } from './structured-output.ts'
import { type StructuredPlace, supportAt } from './vendor-support.ts'

/**
 * The conversation as its vendor's model can be told which tools to call: one that cannot be made to call any is left the
 * choice, which the caller is told (docs/reference/conversion.md#tool-choice).
 */
export function withPossibleChoice(
  conversation: Conversation,
  place: StructuredPlace,
  drop: (name: string) => void,
): Conversation {
  const { toolChoice, tools } = conversation
  if (toolChoice?.mode !== 'required') return conversation
  const support = supportAt(place)
  const isNamed = toolChoice.names?.length === 1 || tools.length === 1
  // A Claude that has to call a tool does not think instead (formats/anthropic/request-out.ts).
  const thinks =
    place.endpoint !== 'messages' && !support.whileThinking.forces && isThinking(conversation, place, support)
  if (!thinks && (support.forces === 'any' || (support.forces === 'named' && isNamed))) return conversation
  const { names } = toolChoice
  const isForced = !thinks && support.forces === 'unnamed'
  if (isForced && names === undefined) return conversation
  if (!isForced || tools.length > (names?.length ?? 0)) drop('toolChoice')
  return { ...conversation, toolChoice: isForced ? { mode: 'required' } : { ...toolChoice, mode: 'auto' } }
}
