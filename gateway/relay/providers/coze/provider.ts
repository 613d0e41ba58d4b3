import { objectIn, parsed, textIn } from '../../../base/json/json.ts'
import type { UpstreamReply } from '../../model/answer.ts'
import { NamedEvents } from '../named-events.ts'
import type { DialTools, Headers, Provider, Target } from '../provider.ts'
import { readReply, WholeReply, waitFor } from '../whole-reply.ts'
import { decodeAnswer, decodeStream, UNFINISHED } from './answer.ts'
import { errorIn, said } from './errors.ts'
import { encodeRequest, withFiles } from './request.ts'

/** Polling interval of a chat, and its max duration (docs/reference/channel-types.md#coze). */
const POLL_INTERVAL_MS = 1000
const MAX_POLL_MS = 5 * 60 * 1000
const MAX_ANSWER_LENGTH = 1024 * 1024
/** Events that only report that the chat continues. */
const SKIPPED_EVENTS = ['conversation.chat.created', 'conversation.chat.in_progress']

/** Coze's bots (docs/reference/channel-types.md#coze): a stream, or a chat that is polled until it ends. */
export const coze: Provider = {
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
    return outcome(target, objectIn(json.data), headers, tools)
  },
}

/** Waits until a chat ends or the caller leaves, and collects its messages. */
async function outcome(
  { channel }: Target,
  started: Readonly<Record<string, unknown>>,
  headers: Headers,
  tools: DialTools,
): Promise<UpstreamReply> {
  const { authorization = '' } = headers
  const ids = { conversation_id: textIn(started.conversation_id) ?? '', chat_id: textIn(started.id) ?? '' }
  const send = (path: string) =>
    tools.requestJson(new URL(`${channel.baseUrl}${path}?${new URLSearchParams(ids)}`), {
      method: 'GET',
      headers: { authorization, accept: 'application/json' },
    })
  const until = tools.now() + MAX_POLL_MS
  let chat = started
  while (chat.status === 'created' || chat.status === 'in_progress') {
    if (tools.now() >= until) return new WholeReply(504, { error: { message: 'the bot did not respond in time' } })
    await waitFor(tools.cancellation, POLL_INTERVAL_MS)
    if (tools.cancellation.ended) throw new Error('the call has ended')
    const json = await send('/v3/chat/retrieve')
    const failed = refusal(json)
    if (failed) return failed
    chat = objectIn(json.data)
  }
  if (chat.status === 'requires_action') return new WholeReply(502, { error: UNFINISHED })
  if (chat.status !== 'completed') return failure(said(objectIn(chat.last_error)))
  const list = await send('/v3/chat/message/list')
  return refusal(list) ?? new WholeReply(200, { chat, messages: list.data })
}

/** Returns a reply for a call that was refused with a successful status. */
function refusal(json: Readonly<Record<string, unknown>>): UpstreamReply | undefined {
  const error = errorIn(json)
  return error && failure(error)
}

const failure = (error: Readonly<{ status: number }>): UpstreamReply => new WholeReply(error.status, { error })
