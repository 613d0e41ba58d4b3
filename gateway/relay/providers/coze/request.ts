import { objectIn, objectsIn, present, textIn } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, MediaPart, Turn } from '../../formats/conversation.ts'
import { bodyIn, bodyOf, jsonIn } from '../body-json.ts'
import { refuseFunctions } from '../functions.ts'
import { mediaApart, plainTurns, systemAsUser } from '../plain-turns.ts'
import type { DialTools, SentRequest, Target } from '../provider.ts'
import { uploaded, withUploads } from '../upload.ts'
import { unsupportedField } from '../vectors.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'

const VENDOR = 'Coze'

/**
 * Writes a chat with a bot (Coze API reference, "Start a chat"; docs/reference/channel-types.md#coze). System turns
 * become user turns, since the bot has its own instructions; images and files are in the last message.
 */
export function encodeRequest(conversation: Conversation, { drop }: RequestTarget): Json {
  refuseFunctions(conversation, VENDOR, drop)
  const own = ownMembers(conversation, FIELDS, drop)
  return present({
    ...own,
    user_id: conversation.user,
    stream: conversation.stream,
    auto_save_history: true,
    additional_messages: messagesOut(conversation, drop),
  })
}

const FIELDS: VendorFields = {
  vendor: VENDOR,
  fields: ['user'],
  own: ['custom_variables', 'meta_data', 'extra_params', 'parameters', 'shortcut_command'],
}

function messagesOut(conversation: Conversation, drop: RequestTarget['drop']): readonly Json[] {
  const { rest, media } = mediaApart(conversation)
  const messages = systemAsUser(plainTurns(rest, VENDOR, drop)).map(({ role, text }) => messageOf(role, text))
  if (media.length === 0) return messages
  const last = messages.at(-1)
  const isAsking = last?.role === 'user'
  const texts = isAsking ? [{ type: 'text', text: last.content }] : []
  const content = [...texts, ...media.map(fileOut)]
  return [...(isAsking ? messages.slice(0, -1) : messages), { ...messageOf('user', ''), ...objects(content) }]
}

const messageOf = (role: Turn['role'], content: string): Json => ({
  role,
  type: role === 'assistant' ? 'answer' : 'question',
  content,
  content_type: 'text',
})

/** Returns message content of several kinds, which is JSON in a text. */
const objects = (content: readonly Json[]): Json => ({
  content: JSON.stringify(content),
  content_type: 'object_string',
})

function fileOut({ kind, source, name }: MediaPart): Json {
  if (kind === 'video' || source.type === 'file' || source.type === 'text') throw unsupportedField(VENDOR, kind)
  const type = kind === 'document' ? 'file' : kind
  if (source.type === 'url') return { type, file_url: source.url }
  return { type, held: { mime: source.mime, data: source.data, name } }
}

/** Uploads the bytes in a request, replacing them with file ids (Coze API reference, "Upload files"). */
export async function withFiles(target: Target, { bytes, headers }: SentRequest, tools: DialTools): Promise<Buffer> {
  if (!bytes.includes(HELD)) return bytes
  const body = await bodyIn(bytes)
  const messages = objectsIn(body.additional_messages)
  const last = messages.at(-1)
  if (last?.content_type !== 'object_string') return bytes
  const content = objectsIn(await jsonIn(Buffer.from(textIn(last.content) ?? '')))
  const url = new URL(`${target.channel.baseUrl}/v1/files/upload`)
  const { authorization = '' } = headers
  const named = await withUploads(content, async (held, { type }) => {
    const { data } = await uploaded(tools, url, { authorization }, held)
    return { type, file_id: objectIn(data).id }
  })
  const message = { ...last, ...objects(named) }
  return bodyOf({ ...body, additional_messages: [...messages.slice(0, -1), message] }, bytes)
}

/** The member `held` as it appears in a text within JSON, with escaped quotes. */
const HELD = '\\"held\\"'
