import type { PlayFailure } from './play-failure.ts'

/** Where an answer stands (docs/reference/screens.md#playground); `stopped` is ended by the person. */
export type MessageState = 'loading' | 'incomplete' | 'complete' | 'stopped' | 'error'

/** What an answer used, and what it cost where the usage log tells. */
export type Spent = Readonly<{ prompt: number; completion: number; quota: number | undefined }>

/** One bubble. */
export type Message = Readonly<{
  kind: 'message'
  id: number
  role: 'user' | 'assistant'
  text: string
  /** What the model thought before it answered. */
  reasoning: string
  state: MessageState
  failure?: PlayFailure | undefined
  /** Under which the gateway wrote it down. */
  requestId?: string | undefined
  spent?: Spent | undefined
  /** Part of the example that a fresh page shows; never sent. */
  isSample?: boolean
}>

/** What stands above it is no longer sent. */
export type Divider = Readonly<{ kind: 'divider'; id: number }>

/** What the page shows, from the oldest on. */
export type Entry = Message | Divider

/** One message of a request's body. */
export type Sent = Readonly<{ role: 'system' | 'user' | 'assistant'; content: string }>

/** A message that says something already. */
export const saying = (id: number, role: Message['role'], text: string): Message => ({
  kind: 'message',
  id,
  role,
  text,
  reasoning: '',
  state: 'complete',
})

/** An answer that is awaited. */
export const awaited = (id: number): Message => ({ ...saying(id, 'assistant', ''), state: 'loading' })

/** The messages to send: the system's, then all that was said since the context was last cleared. */
export function contextOf(entries: readonly Entry[], system: string): readonly Sent[] {
  const from = entries.findLastIndex(({ kind }) => kind === 'divider') + 1
  const said = entries
    .slice(from)
    .flatMap((entry) => (entry.kind === 'message' && !entry.isSample && entry.text !== '' ? [entry] : []))
  const messages = said.map(({ role, text }) => ({ role, content: text }))
  return system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages]
}

/** Everything before an entry. */
export const before = (entries: readonly Entry[], id: number): readonly Entry[] =>
  entries.slice(
    0,
    Math.max(
      entries.findIndex((entry) => entry.id === id),
      0,
    ),
  )

/** A conversation with one message changed. */
export const changed = (entries: readonly Entry[], id: number, change: Partial<Message>): readonly Entry[] =>
  entries.map((entry) => (entry.kind === 'message' && entry.id === id ? { ...entry, ...change } : entry))

/** A conversation without one entry. */
export const without = (entries: readonly Entry[], id: number): readonly Entry[] =>
  entries.filter((entry) => entry.id !== id)
