import { changed, type Entry, isComing, type Message, without } from './conversation.ts'
import type { KeptConversation } from './kept/kept-conversation.ts'

/** A conversation as a whole; where models are compared, a person's words have one id in both lanes, answers their own. */
type Change = (now: KeptConversation) => KeptConversation

const eachLane = (now: KeptConversation, change: (entries: readonly Entry[], place: number) => readonly Entry[]) => ({
  ...now,
  changedAt: Date.now(),
  lanes: now.lanes.map(change),
})

/** Changes a message of one lane. */
export const changeMessage =
  (place: number, id: number, change: Partial<Message>): Change =>
  (now) => ({ ...now, lanes: now.lanes.map((entries, at) => (at === place ? changed(entries, id, change) : entries)) })

/** Takes a message away, a person's words from both lanes. */
export const removeMessage =
  (id: number): Change =>
  (now) =>
    eachLane(now, (entries) => without(entries, id))

/** Draws a line that nothing above is sent over any more, where something was said since the last. */
export const divide: Change = (now) =>
  eachLane(now, (entries) =>
    entries.at(-1)?.kind === 'message' ? [...entries, { kind: 'divider', id: nextId(now) }] : entries,
  )

/**
 * An id above all there are, and above those that other windows have given out by now: it rises with time, and is one in a
 * thousand of the same millisecond.
 */
export function nextId({ lanes }: Pick<KeptConversation, 'lanes'>): number {
  const [random = 0] = crypto.getRandomValues(new Uint16Array(1))
  return Math.max(Date.now() * PER_MS + (random % PER_MS), ...lanes.flat().map(({ id }) => id + 1))
}

const PER_MS = 1000

/** Whether an answer is coming in, in any lane. */
export const isAnswering = ({ lanes }: Pick<KeptConversation, 'lanes'>): boolean => lanes.flat().some(isComing)

/** Whether anything was said. */
export const isEmpty = ({ lanes }: Pick<KeptConversation, 'lanes'>): boolean =>
  lanes.every(({ length }) => length === 0)
