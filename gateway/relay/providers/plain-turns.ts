import type { Conversation, MediaPart, Part, Turn } from '../formats/conversation.ts'
import { unsupportedField } from './vectors.ts'

/** One side's say as text. */
type PlainTurn = Readonly<{ role: 'system' | 'user' | 'assistant'; text: string }>

/**
 * A conversation for a vendor that knows text alone: neighbours of one role are one turn, turns without text are left
 * out. Refuses media, calls of tools and their results; what was thought is for the model that thought it.
 */
export function plainTurns(
  { turns }: Conversation,
  vendor: string,
  drop: (name: string) => void,
): readonly PlainTurn[] {
  return merged(
    turns.map((turn) => ({
      role: turn.role === 'developer' ? 'system' : turn.role,
      text: plainText(turn, vendor, drop),
    })),
  )
}

/** The text of one turn; refuses and reports as `plainTurns` does. */
export function plainText(turn: Turn, vendor: string, drop: (name: string) => void): string {
  if (turn.name !== undefined) drop('name')
  return turn.parts.flatMap((part) => textOf(part, vendor, drop)).join(turn.role === 'assistant' ? '' : '\n')
}

/** Plain turns, with the instructions that they begin with apart, as one text or none; the user gives those that follow. */
export function withSystemApart(
  turns: readonly PlainTurn[],
): Readonly<{ system?: string; said: readonly PlainTurn[] }> {
  const [first] = turns
  const system = first?.role === 'system' ? first.text : undefined
  const rest = system === undefined ? turns : turns.slice(1)
  const said = merged(rest.map((turn) => (turn.role === 'system' ? { ...turn, role: 'user' } : turn)))
  return system === undefined ? { said } : { system, said }
}

/**
 * Plain turns for a vendor that knows no system: it is said by the user, and the model agrees
 * (docs/reference/channel-types.md#zhipu-chatglm-third-interface).
 */
export const systemAsUser = (turns: readonly PlainTurn[]): readonly PlainTurn[] =>
  merged(
    turns.flatMap((turn): readonly PlainTurn[] =>
      turn.role === 'system'
        ? [
            { ...turn, role: 'user' },
            { role: 'assistant', text: 'Okay' },
          ]
        : [turn],
    ),
  )

/** Neighbours of one role as one turn; turns without text are left out. */
function merged(turns: readonly PlainTurn[]): readonly PlainTurn[] {
  const kept: PlainTurn[] = []
  for (const turn of turns) {
    const last = kept.at(-1)
    if (turn.text === '') continue
    if (last?.role === turn.role) kept[kept.length - 1] = { ...turn, text: `${last.text}\n${turn.text}` }
    else kept.push(turn)
  }
  return kept
}

function textOf(part: Part, vendor: string, drop: (name: string) => void): readonly string[] {
  if ('cache' in part && part.cache) drop('cache')
  if (part.type === 'text' || part.type === 'refusal') return [part.text]
  if (part.type === 'reasoning') return []
  if (part.type === 'extra') {
    drop(`content.${part.name}`)
    return []
  }
  if (part.type !== 'media') throw unsupportedField(vendor, 'tools')
  if (part.source.type !== 'text') throw unsupportedField(vendor, part.kind)
  return [part.name ? `${part.name}\n\n${part.source.text}` : part.source.text]
}

/** A conversation whose users' files are taken out of its turns, in their order; other parts stay where they are. */
export function mediaApart(conversation: Conversation): Readonly<{ rest: Conversation; media: readonly MediaPart[] }> {
  const media: MediaPart[] = []
  const turns = conversation.turns.map((turn): Turn => {
    if (turn.role !== 'user') return turn
    const parts: Part[] = []
    for (const part of turn.parts)
      if (part.type === 'media' && part.source.type !== 'text') media.push(part)
      else parts.push(part)
    return parts.length === turn.parts.length ? turn : { ...turn, parts }
  })
  return { rest: { ...conversation, turns }, media }
}
