import type { Conversation, MediaPart, Part, Turn } from '../formats/conversation.ts'
import { unsupportedField } from './vectors.ts'

type PlainTurn = Readonly<{ role: 'system' | 'user' | 'assistant'; text: string }>

/**
 * Returns a conversation as text turns, for a vendor that accepts only text: consecutive turns of one role are merged,
 * and turns without text are left out. Throws for tool calls, their results, and media other than text documents; omits
 * reasoning, which only concerns the model that produced it.
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

export function plainText(turn: Turn, vendor: string, drop: (name: string) => void): string {
  if (turn.name !== undefined) drop('name')
  return turn.parts.flatMap((part) => textOf(part, vendor, drop)).join(turn.role === 'assistant' ? '' : '\n')
}

/** Separates the leading instructions as one text, if any; later ones become user turns. */
export function withSystemApart(
  turns: readonly PlainTurn[],
): Readonly<{ system?: string; turns: readonly PlainTurn[] }> {
  const [first] = turns
  const system = first?.role === 'system' ? first.text : undefined
  const rest = system === undefined ? turns : turns.slice(1)
  const others = merged(rest.map((turn) => (turn.role === 'system' ? { ...turn, role: 'user' } : turn)))
  return system === undefined ? { turns: others } : { system, turns: others }
}

/**
 * For vendors without system turns: each becomes a user turn that the model acknowledges
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

function merged(turns: readonly PlainTurn[]): readonly PlainTurn[] {
  const result: PlainTurn[] = []
  for (const turn of turns) {
    const last = result.at(-1)
    if (turn.text === '') continue
    if (last?.role === turn.role) result[result.length - 1] = { ...turn, text: `${last.text}\n${turn.text}` }
    else result.push(turn)
  }
  return result
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

/** Removes the users' files from a conversation and returns them in order; other parts stay in place. */
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
