import { changed, type Entry, isComing, type Message, without } from './conversation.ts'
import type { StoredConversation } from './conversations/stored-conversation.ts'

/**
 * A change of the whole conversation; when comparing models, a user message has the same id in both lanes, answers
 * have their own.
 */
type Change = (now: StoredConversation) => StoredConversation

const eachLane = (now: StoredConversation, change: (entries: readonly Entry[], index: number) => readonly Entry[]) => ({
  ...now,
  changedAt: Date.now(),
  lanes: now.lanes.map(change),
})

export const changeMessage =
  (index: number, id: number, change: Partial<Message>): Change =>
  (now) => ({ ...now, lanes: now.lanes.map((entries, at) => (at === index ? changed(entries, id, change) : entries)) })

export const removeMessage =
  (id: number): Change =>
  (now) =>
    eachLane(now, (entries) => without(entries, id))

/** Adds a divider, above which messages are no longer sent, to each lane whose last entry is a message. */
export const divide: Change = (now) =>
  eachLane(now, (entries) =>
    entries.at(-1)?.kind === 'message' ? [...entries, { kind: 'divider', id: nextId(now) }] : entries,
  )

/**
 * Returns an id above all existing ones and above those that other windows have issued so far: it increases with time,
 * with a random part within each millisecond.
 */
export function nextId({ lanes }: Pick<StoredConversation, 'lanes'>): number {
  const [random = 0] = crypto.getRandomValues(new Uint16Array(1))
  return Math.max(Date.now() * PER_MS + (random % PER_MS), ...lanes.flat().map(({ id }) => id + 1))
}

const PER_MS = 1000

export const isAnswering = ({ lanes }: Pick<StoredConversation, 'lanes'>): boolean => lanes.flat().some(isComing)

export const isEmpty = ({ lanes }: Pick<StoredConversation, 'lanes'>): boolean =>
  lanes.every(({ length }) => length === 0)
