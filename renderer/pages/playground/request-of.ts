import type { Attachment } from './attachments/attachment.ts'
import type { Request } from './code/request-code.ts'
import { before, contextOf, type Entry, type Message, saying } from './conversation.ts'
import type { KeptConversation } from './kept/kept-conversation.ts'
import { nextId } from './lanes.ts'
import type { PlaySettings } from './settings.ts'
import type { Draft } from './use-draft.ts'

/** The request that would be sent now: what is being written, where anything is, goes with it. */
export function requestOf(now: KeptConversation, settings: PlaySettings, { text, attachments }: Draft): Request {
  const [entries = []] = now.lanes
  const isBlank = text.trim() === '' && attachments.length === 0
  const draft: Message = { ...saying(nextId(now), 'user', text.trim()), attachments }
  return requestFor(isBlank ? beforeLastAnswer(entries) : [...entries, draft], settings)
}

/** With nothing written, the request of the last question is the one to see. */
function beforeLastAnswer(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1)
  return last?.kind === 'message' && last.role === 'assistant' ? entries.slice(0, -1) : entries
}

/** The request that an answer of a lane was given to. */
export function requestOfAnswer({ lanes }: KeptConversation, place: number, answer: Message): Request | undefined {
  const { asked, id } = answer
  return asked && requestFor(before(lanes[place] ?? [], id), asked)
}

function requestFor(entries: readonly Entry[], settings: PlaySettings): Request {
  const attachments = entries.flatMap((entry): readonly Attachment[] =>
    entry.kind === 'message' ? (entry.attachments ?? []) : [],
  )
  return { messages: contextOf(entries, settings.system), settings, attachments }
}
