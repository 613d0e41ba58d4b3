import { objectIn, parsed, textIn } from '../../../base/json/json.ts'
import type { UpstreamReply } from '../../model/answer.ts'
import { NamedEvents } from '../named-events.ts'
import type { DialTools, Headers, Provider, Target } from '../provider.ts'
import { readReply, undelivered, WholeReply, waitFor } from '../whole-reply.ts'
import { decodeAnswer, decodeStream, UNFINISHED } from './answer.ts'
import { answerError, errorIn } from './errors.ts'
import { encodeRequest, withFiles } from './request.ts'

/** Polling interval of a chat, and its max duration (docs/reference/channel-types.md#coze). */
const POLL_INTERVAL_MS = 1000
const MAX_POLL_MS = 5 * 60 * 1000
const MAX_ANSWER_LENGTH = 1024 * 1024
/** Events that only report that the chat continues. */
const SKIPPED_EVENTS = ['conversation.chat.created', 'conversation.chat.in_progress']

/** Coze's bots (docs/reference/channel-types.md#coze): a stream, or a chat that is polled until it ends. */
export const coze: Provider = {
  ignoresOutputLimit: true,
  addsToPrompt: true,
  remembersUsers: true,
  paths: { own: ({ channel }) => `${channel.baseUrl}/v3/chat` },
  headers: ({ channel }) => ({ authorization: `Bearer ${channel.key}` }),
  forcedMembers: ({ channel }) => new Map([['bot_id', channel.other]]),
  wire: { encodeRequest, decodeAnswer, decodeStream, frames: () => new NamedEvents(SKIPPED_EVENTS) },
  errorIn,
  async dial(target, sent, tools) {
    const { url, headers } = sent
    const bytes = await withFiles(target, sent, tools)
    const reply = await tools.request(url, { method: 'POST', headers, bytes })
    const isGood = reply.status >= 200 && reply.status <= 299
    if (!isGood || /event-stream/.test(reply.headers['content-type'] ?? '')) return reply
    const json = objectIn(parsed((await readReply(reply, MAX_ANSWER_LENGTH)).toString()))
    const failed = refusal(json)
    if (failed) return failed
    tools.accepted()
    return outcome(target, objectIn(json.data), headers, tools)
  },
}

type Chat = Readonly<Record<string, unknown>>

/** Returns the data of a response about the chat; undefined if the request failed. */
type GetData = (path: string) => Promise<unknown>

/**
 * Waits until a chat ends or the call does, and collects its messages. Failed requests are repeated, because the vendor
 * bills the chat regardless.
 */
async function outcome(
  { channel }: Target,
  started: Chat,
  { authorization = '' }: Headers,
  tools: DialTools,
): Promise<UpstreamReply> {
  const ids = { conversation_id: textIn(started.conversation_id) ?? '', chat_id: textIn(started.id) ?? '' }
  const get: GetData = async (path) => {
    const url = new URL(`${channel.baseUrl}${path}?${new URLSearchParams(ids)}`)
    const headers = { authorization, accept: 'application/json' }
    const json = await tools.requestJson(url, { method: 'GET', headers }).catch(() => NO_DATA)
    return errorIn(json) ? undefined : json.data
  }
  const until = tools.now() + MAX_POLL_MS
  for (let chat = started; ; chat = await polled(chat, get)) {
    const reply = isRunning(chat) ? undefined : await replyOf(chat, get)
    if (reply) return reply
    if (tools.now() < until) await waitFor(tools.cancellation, POLL_INTERVAL_MS)
    if (tools.now() >= until || tools.cancellation.ended)
      return undelivered('the bot did not respond in time, but the provider bills the chat')
  }
}

const NO_DATA: Chat = {}

const isRunning = ({ status }: Chat): boolean => status === 'created' || status === 'in_progress'

async function polled(chat: Chat, get: GetData): Promise<Chat> {
  if (!isRunning(chat)) return chat
  const found = objectIn(await get('/v3/chat/retrieve'))
  return textIn(found.status) === undefined ? chat : found
}

/** The reply for a chat that has ended; undefined if its messages could not be read. */
async function replyOf(chat: Chat, get: GetData): Promise<UpstreamReply | undefined> {
  if (chat.status === 'requires_action') return new WholeReply(502, { error: UNFINISHED })
  if (chat.status !== 'completed') return failure(answerError(objectIn(chat.last_error)))
  const messages = await get('/v3/chat/message/list')
  return messages === undefined ? undefined : new WholeReply(200, { chat, messages })
}

/** Returns a reply for a call that was refused with a successful status. */
function refusal(json: Readonly<Record<string, unknown>>): UpstreamReply | undefined {
  const error = errorIn(json)
  return error && failure(error)
}

const failure = (error: Readonly<{ status: number }>): UpstreamReply => new WholeReply(error.status, { error })
