import { useEffect, useRef } from 'react'
import type { Attachment } from './attachments/attachment.ts'
import { before, type Message, textMessage } from './conversation.ts'
import { type Chosen, newConversation, type StoredConversation, titleOf } from './conversations/stored-conversation.ts'
import type { StoredConversations } from './conversations/use-stored-conversations.ts'
import { costOf } from './cost-of.ts'
import { changeMessage, divide, removeMessage } from './lanes.ts'
import type { PlaySettings } from './settings.ts'
import { useChatRequest } from './use-chat-request.ts'
import type { Current } from './use-current.ts'

/**
 * Operations on the conversation. While an answer is being received, no messages can be sent, edited, removed or
 * repeated; `stop`, `open` and `endComparing` abort the answer.
 */
export type Conversation = Readonly<{
  current: StoredConversation
  isBusy: boolean
  settingsOf: (index: number) => PlaySettings
  choose: (change: Chosen) => void
  send: (text: string, attachments: readonly Attachment[]) => void
  /** Aborts running answers; text received so far stays. */
  stop: () => void
  /** Repeats the request of this answer in one lane; removes everything below it. */
  regenerate: (index: number, answer: Message) => void
  /** Replaces a message and requests new answers in each lane that has it; removes everything below it. */
  edit: (message: Message, text: string, attachments: readonly Attachment[]) => void
  remove: (message: Message) => void
  rename: (title: string) => void
  /** Messages so far are no longer sent. */
  clearContext: () => void
  /** Opens another conversation; running answers are aborted and stay in theirs. */
  open: (conversation: StoredConversation) => void
  /** Also sends further messages to a second model, with the conversation so far. */
  compare: (model: string) => void
  /** Continues with the first model only; the second lane becomes its own conversation. */
  endComparing: () => void
}>

/** A conversation with one model, or with two in comparison (docs/reference/screens.md#playground). */
export function useConversation(
  currentState: Current,
  stored: StoredConversations,
  settings: PlaySettings,
): Conversation {
  const { current, latest, put, alter } = currentState
  const { isBusy, request, stop, settingsOf } = useChatRequest(currentState, settings)
  const fillIn = useFigures(alter)
  const has = (index: number, id: number) => latest().lanes[index]?.some((entry) => entry.id === id) ?? false
  return {
    current,
    isBusy,
    settingsOf,
    stop,
    choose: (change) => put({ ...latest(), chosen: { ...latest().chosen, ...change } }),
    send: (text, attachments) =>
      request({ isRequested: () => true, prepare: (entries, id) => [...entries, userMessage(id, text, attachments)] }),
    regenerate: (at, { id }) =>
      request({ isRequested: (index) => index === at, prepare: (entries) => before(entries, id) }),
    edit: ({ id }, text, attachments) =>
      request({
        isRequested: (index) => has(index, id),
        prepare: (entries, newId) => [...before(entries, id), userMessage(newId, text, attachments)],
      }),
    remove: ({ id }) => put(removeMessage(id)(latest())),
    rename: (title) => put({ ...latest(), title }),
    clearContext: () => put(divide(latest())),
    open(conversation) {
      stop()
      put(conversation)
      fillIn(conversation)
    },
    compare(secondModel) {
      const { lanes, chosen, ...now } = latest()
      const [entries = []] = lanes
      put({ ...now, chosen: { ...chosen, secondModel }, lanes: [entries, entries] })
    },
    endComparing() {
      stop()
      const { one, other } = splitLanes(latest(), settingsOf(1).model)
      if (other) void stored.save(other)
      put(one)
    },
  }
}

const userMessage = (id: number, text: string, attachments: readonly Attachment[]): Message => ({
  ...textMessage(id, 'user', text),
  ...(attachments.length > 0 ? { attachments } : {}),
})

/**
 * Splits a comparison: the first lane continues, and the second becomes its own conversation, unless the first contains
 * all of its messages.
 */
function splitLanes(now: StoredConversation, model: string) {
  const { secondModel: _, ...chosen } = now.chosen
  const [entries = [], others = []] = now.lanes
  const one: StoredConversation = { ...now, chosen, lanes: [entries] }
  if (others.every(({ id }) => entries.some((entry) => entry.id === id))) return { one, other: undefined }
  const title = `${titleOf(now)} · ${model}`
  return { one, other: { ...newConversation({ ...chosen, model }), title, lanes: [others] } }
}

/** Maximum answers to look up: only the newest, because each takes a log request. */
const LOOKED_FOR = 4

/** Fills in the cost of answers that were left before it was logged, such as by closing the page. */
function useFigures(alter: Current['alter']): (conversation: StoredConversation) => void {
  const life = useRef(new AbortController())
  useEffect(() => {
    life.current = new AbortController()
    return () => life.current.abort()
  }, [])
  const fillIn = async ({ id, lanes }: StoredConversation) => {
    const { signal } = life.current
    const missing = lanes
      .flatMap((entries, index) => entries.map((entry) => ({ entry, index })))
      .flatMap(({ entry, index }) => (entry.kind === 'message' ? [{ message: entry, index }] : []))
      .filter(({ message: { requestId, spent } }) => requestId && spent?.quota === undefined)
    for (const { message, index } of missing.slice(-LOOKED_FOR)) {
      const spent = await costOf(message.requestId ?? '', signal, 1).catch(() => undefined)
      if (spent && !signal.aborted) alter(id, changeMessage(index, message.id, { spent }))
    }
  }
  return (conversation) => void fillIn(conversation)
}
