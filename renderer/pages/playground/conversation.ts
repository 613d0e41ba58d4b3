import { type Attachment, type ContentPart, contentOf } from './attachments/attachment.ts'
import type { PlayFailure } from './play-failure.ts'
import type { PlaySettings } from './settings.ts'

/** The state of an answer (docs/reference/screens.md#playground); `stopped` by the user. */
export type MessageState = 'loading' | 'incomplete' | 'complete' | 'stopped' | 'error'

/** Tokens of an answer, with its cost and milliseconds to the first byte if the usage log has them. */
export type Spent = Readonly<{ prompt: number; completion: number; quota?: number; firstMs?: number }>

/** An answer's duration as measured by this browser, in milliseconds: to its first text, if any, and to its end. */
export type Timing = Readonly<{ firstMs?: number; totalMs: number }>

export type Message = Readonly<{
  kind: 'message'
  id: number
  role: 'user' | 'assistant'
  text: string
  reasoning: string
  state: MessageState
  attachments?: readonly Attachment[]
  /** The settings an answer was requested with. */
  asked?: PlaySettings
  failure?: PlayFailure
  requestId?: string
  spent?: Spent
  timing?: Timing
  /** Part of the example on an empty page; never sent. */
  isSample?: boolean
}>

/** Messages above it are no longer sent. */
export type Divider = Readonly<{ kind: 'divider'; id: number }>

export type Entry = Message | Divider

export type Sent = Readonly<{ role: 'system' | 'user' | 'assistant'; content: string | readonly ContentPart[] }>

export const textMessage = (id: number, role: Message['role'], text: string): Message => ({
  kind: 'message',
  id,
  role,
  text,
  reasoning: '',
  state: 'complete',
})

export const awaited = (id: number, settings: PlaySettings): Message => ({
  ...textMessage(id, 'assistant', ''),
  state: 'loading',
  asked: settings,
})

export const isComing = (entry: Entry): boolean =>
  entry.kind === 'message' && (entry.state === 'loading' || entry.state === 'incomplete')

/**
 * The messages to send: the system prompt, then all messages since the context was last cleared, except samples and
 * empty ones.
 */
export function contextOf(entries: readonly Entry[], system: string): readonly Sent[] {
  const from = entries.findLastIndex(({ kind }) => kind === 'divider') + 1
  const messages = entries.slice(from).flatMap((entry): readonly Sent[] => {
    if (entry.kind === 'divider' || entry.isSample) return []
    const { role, text, attachments } = entry
    return text === '' && !attachments?.length ? [] : [{ role, content: contentOf(text, attachments) }]
  })
  return system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages]
}

export const before = (entries: readonly Entry[], id: number): readonly Entry[] =>
  entries.slice(
    0,
    Math.max(
      entries.findIndex((entry) => entry.id === id),
      0,
    ),
  )

export const changed = (entries: readonly Entry[], id: number, change: Partial<Message>): readonly Entry[] =>
  entries.map((entry) => (entry.kind === 'message' && entry.id === id ? { ...entry, ...change } : entry))

export const without = (entries: readonly Entry[], id: number): readonly Entry[] =>
  entries.filter((entry) => entry.id !== id)

export type LaneActions = Readonly<{
  isBusy: boolean
  regenerate: (answer: Message) => void
  edit: (message: Message, text: string, attachments: readonly Attachment[]) => void
  remove: (message: Message) => void
  viewCode: (answer: Message) => void
}>
