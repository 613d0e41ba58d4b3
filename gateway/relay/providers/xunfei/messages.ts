import type { Conversation, Part, TextPart, ToolCallPart, ToolResultPart, Turn } from '../../formats/conversation.ts'

/**
 * A conversation whose rounds of tools are told in words: the vendor knows calls in its answers alone, and its messages are
 * the system's, the user's and the model's (Spark's Web API, "Request parameters").
 */
export function withToolsInWords(conversation: Conversation): Conversation {
  const calls = new Map<string, ToolCallPart>()
  const turns = conversation.turns.map((turn): Turn => {
    for (const part of turn.parts) if (part.type === 'tool-call') calls.set(part.id, part)
    return turn.parts.some(isRound) ? { ...turn, parts: turn.parts.flatMap((part) => worded(part, calls)) } : turn
  })
  return { ...conversation, turns }
}

const isRound = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result'

/** A call is told with its result. */
function worded(part: Part, calls: ReadonlyMap<string, ToolCallPart>): readonly Part[] {
  if (part.type === 'tool-call') return []
  return part.type === 'tool-result' ? [headOf(part, calls.get(part.callId)), ...part.content] : [part]
}

function headOf({ name, callId, isError }: ToolResultPart, call: ToolCallPart | undefined): TextPart {
  const called = call?.name ?? name ?? callId
  const given = call?.arguments ? ` with ${call.arguments}` : ''
  return { type: 'text', text: `The tool ${called} was called${given} and ${isError ? 'failed' : 'answered'}:` }
}
