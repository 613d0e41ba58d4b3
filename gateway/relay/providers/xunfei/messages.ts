import type { Conversation, Part, TextPart, ToolCallPart, ToolResultPart, Turn } from '../../formats/conversation.ts'

/**
 * Describes tool calls and results as text: the vendor supports calls only in its responses, and messages only of
 * system, user and assistant (Spark's Web API, "Request parameters").
 */
export function withToolsAsText(conversation: Conversation): Conversation {
  const calls = new Map<string, ToolCallPart>()
  const turns = conversation.turns.map((turn): Turn => {
    for (const part of turn.parts) if (part.type === 'tool-call') calls.set(part.id, part)
    return turn.parts.some(isRound)
      ? { ...turn, parts: turn.parts.flatMap((part) => describedPart(part, calls)) }
      : turn
  })
  return { ...conversation, turns }
}

const isRound = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result'

/** A call is described with its result. */
function describedPart(part: Part, calls: ReadonlyMap<string, ToolCallPart>): readonly Part[] {
  if (part.type === 'tool-call') return []
  return part.type === 'tool-result' ? [headOf(part, calls.get(part.callId)), ...part.content] : [part]
}

function headOf({ name, callId, isError }: ToolResultPart, call: ToolCallPart | undefined): TextPart {
  const called = call?.name ?? name ?? callId
  const given = call?.arguments ? ` with ${call.arguments}` : ''
  return { type: 'text', text: `The tool ${called} was called${given} and ${isError ? 'failed' : 'answered'}:` }
}
