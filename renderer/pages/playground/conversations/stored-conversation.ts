import * as z from 'zod/mini'
import { randomId } from '../../../api/random-id.ts'
import type { Entry, Message } from '../conversation.ts'
import { fineRanges, type PlaySettings } from '../settings.ts'

/** The user's choices for a conversation, including the second model of a comparison. */
export type Chosen = Readonly<Partial<PlaySettings> & { secondModel?: string }>

/** A stored conversation (docs/reference/screens.md#playground). */
export type StoredConversation = Readonly<{
  id: string
  /** If empty, the first message is used. */
  title: string
  /** Unix milliseconds. */
  changedAt: number
  /** Changes with every save; empty before the first. */
  revision: string
  chosen: Chosen
  /** One list of messages, or two when comparing. */
  lanes: readonly (readonly Entry[])[]
}>

const settings = z.object({
  group: z.string(),
  model: z.string(),
  temperature: z.number(),
  // Missing in conversations stored before these settings existed.
  topP: z._default(z.number(), fineRanges.topP.usual),
  frequencyPenalty: z._default(z.number(), fineRanges.frequencyPenalty.usual),
  presencePenalty: z._default(z.number(), fineRanges.presencePenalty.usual),
  maxTokens: z.number(),
  system: z.string(),
})

const attachment = z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number(), data: z.string() })

const message = z.object({
  kind: z.literal('message'),
  id: z.int(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  reasoning: z.string(),
  // An answer does not continue after the page was closed.
  state: z.pipe(z.enum(['loading', 'incomplete', 'complete', 'stopped', 'error']), z.transform(ended)),
  attachments: z.optional(z.array(attachment)),
  asked: z.optional(settings),
  failure: z.optional(z.object({ message: z.string(), hint: z.string(), code: z.optional(z.string()) })),
  requestId: z.optional(z.string()),
  spent: z.optional(
    z.object({
      prompt: z.number(),
      completion: z.number(),
      quota: z.optional(z.number()),
      firstMs: z.optional(z.number()),
    }),
  ),
  timing: z.optional(z.object({ firstMs: z.optional(z.number()), totalMs: z.number() })),
})

function ended(state: Message['state']): Message['state'] {
  return state === 'loading' || state === 'incomplete' ? 'stopped' : state
}

const entry = z.union([message, z.object({ kind: z.literal('divider'), id: z.int() })])

/** Parses a stored conversation, which an older console may have written. */
export const storedConversation = z.object({
  id: z.string(),
  title: z.string(),
  changedAt: z.number(),
  revision: z._default(z.string(), ''),
  chosen: z.extend(z.partial(settings), { secondModel: z.optional(z.string()) }),
  lanes: z.array(z.array(entry)).check(z.minLength(1), z.maxLength(2)),
}) satisfies z.ZodMiniType<StoredConversation>

export const storedDraft = z.object({ text: z.string(), attachments: z.array(attachment) })

export const newConversation = (chosen: Chosen): StoredConversation => ({
  id: randomId(),
  title: '',
  changedAt: Date.now(),
  revision: '',
  chosen,
  lanes: [[]],
})

const TITLE = 80

/** A conversation's title, else the start of its first message, else the name of its first file. */
export function titleOf({ title, lanes: [first = []] }: StoredConversation): string {
  if (title) return title
  const firstMessage = first.find((one): one is Message => one.kind === 'message' && one.role === 'user')
  const firstLine = firstMessage?.text.trim().split('\n', 1).join('') ?? ''
  return (firstLine || firstMessage?.attachments?.[0]?.name || '').slice(0, TITLE)
}

/** Approximate size of a conversation, in characters. */
export const sizeOf = ({ lanes }: StoredConversation): number =>
  lanes.flat().reduce((sum, one) => sum + (one.kind === 'message' ? sizeOfMessage(one) : 0), 0)

const sizeOfMessage = ({ text, reasoning, attachments = [] }: Message): number =>
  text.length + reasoning.length + attachments.reduce((sum, { data }) => sum + data.length, 0)
