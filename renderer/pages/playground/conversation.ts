import { type Attachment, type ContentPart, contentOf } from './attachments/attachment.ts'
import type { PlayFailure } from './play-failure.ts'
import type { PlaySettings } from './settings.ts'

/** Where an answer stands (docs/reference/screens.md#playground); `stopped` is ended by the person. */
export type MessageState = 'loading' | 'incomplete' | 'complete' | 'stopped' | 'error'

/** What an answer used, and what it cost and when its first byte came (in milliseconds) where the usage log tells. */
export type Spent = Readonly<{ prompt: number; completion: number; quota?: number; firstMs?: number }>

/** How long an answer took as this browser saw it, in milliseconds: to its first words, where any came, and to its end. */
export type Timing = Readonly<{ firstMs?: number; totalMs: number }>

/** One bubble. */
export type Message = Readonly<{
  kind: 'message'
  id: number
  role: 'user' | 'assistant'
  text: string
  /** What the model thought before it answered. */
  reasoning: string
  state: MessageState
  /** Of a person's message. */
  attachments?: readonly Attachment[]
  /** What an answer was asked for with. */
  asked?: PlaySettings
  failure?: PlayFailure
  /** Under which the gateway wrote it down. */
  requestId?: string
  spent?: Spent
  timing?: Timing
  /** Part of the example that a fresh page shows; never sent. */
  isSample?: boolean
}>

/** What stands above it is no longer sent. */
export type Divider = Readonly<{ kind: 'divider'; id: number }>

/** What the page shows, from the oldest on. */
export type Entry = Message | Divider

/** One message of a request's body. */
export type Sent = Readonly<{ role: 'system' | 'user' | 'assistant'; content: string | readonly ContentPart[] }>

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
export const awaited = (id: number, asked: PlaySettings): Message => ({
  ...saying(id, 'assistant', ''),
  state: 'loading',
  asked,
})

/** Whether an answer is still coming in. */
export const isComing = (entry: Entry): boolean =>
  entry.kind === 'message' && (entry.state === 'loading' || entry.state === 'incomplete')

/** The messages to send: the system's, then all that was said since the context was last cleared. */
export function contextOf(entries: readonly Entry[], system: string): readonly Sent[] {
  const from = entries.findLastIndex(({ kind }) => kind === 'divider') + 1
  const messages = entries.slice(from).flatMap((entry): readonly Sent[] => {
    if (entry.kind === 'divider' || entry.isSample) return []
    const { role, text, attachments } = entry
    return text === '' && !attachments?.length ? [] : [{ role, content: contentOf(text, attachments) }]
  })
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
