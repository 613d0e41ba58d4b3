import type { Conversation, MediaPart, Turn } from '../formats/conversation.ts'

/** A conversation whose users' files are taken out of its turns, in their order; other parts stay where they are. */
export function mediaApart(conversation: Conversation): Readonly<{ rest: Conversation; media: readonly MediaPart[] }> {
  const media: MediaPart[] = []
  const turns = conversation.turns.map((turn): Turn => {
    if (turn.role !== 'user') return turn
    const files = turn.parts.filter((part) => part.type === 'media' && part.source.type !== 'text')
    media.push(...files.filter((part) => part.type === 'media'))
    return files.length === 0 ? turn : { ...turn, parts: turn.parts.filter((part) => !files.includes(part)) }
  })
  return { rest: { ...conversation, turns }, media }
}
