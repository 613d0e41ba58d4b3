import { present } from '../../../base/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, MediaPart, Turn } from '../../formats/conversation.ts'
import { refuseFunctions } from '../functions.ts'
import { mediaApart } from '../media-apart.ts'
import { plainTurns, systemAsUser } from '../plain-turns.ts'
import { ownMembers, type Told } from '../untold.ts'
import { cannotTell } from '../vectors.ts'

/** What the vendor is called in refusals. */
const VENDOR = 'Coze'
/** Who asks, where the caller does not say. */
const SOMEBODY = 'switchyard'

/**
 * Writes a chat with a bot (Coze API reference, "Start a chat"; spec/relay.md §2.3 "coze"). What the system says is said
 * by the user, since the bot has its own; pictures and files stand in the last message.
 */
export function encodeRequest(conversation: Conversation, { drop }: RequestTarget): Json {
  refuseFunctions(conversation, VENDOR, drop)
  const own = ownMembers(conversation, TOLD, drop)
  return present({
    ...own,
    user_id: conversation.user ?? SOMEBODY,
    stream: conversation.stream,
    auto_save_history: true,
    additional_messages: messagesOut(conversation, drop),
  })
}

const TOLD: Told = {
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

/** The content of a message of several kinds, which is JSON in a text. */
export const objects = (content: readonly Json[]): Json => ({
  content: JSON.stringify(content),
  content_type: 'object_string',
})

/** A file by its address, or held until it is uploaded. */
function fileOut({ kind, source, name }: MediaPart): Json {
  if (kind === 'video' || source.type === 'file' || source.type === 'text') throw cannotTell(VENDOR, kind)
  const type = kind === 'document' ? 'file' : kind
  if (source.type === 'url') return { type, file_url: source.url }
  return { type, held: { mime: source.mime, data: source.data, name } }
}
