import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, MediaPart } from '../../formats/conversation.ts'
import { refuseFunctions } from '../functions.ts'
import { mediaApart, plainTurns } from '../plain-turns.ts'
import { unsupportedField } from '../vectors.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'

const VENDOR = 'Dify'

/**
 * Writes a message to an app (Dify API reference, "Send chat message"; docs/reference/channel-types.md#dify): the whole
 * conversation in one text, each turn after its role.
 */
export function encodeRequest(conversation: Conversation, { drop }: RequestTarget): Json {
  refuseFunctions(conversation, VENDOR, drop)
  const own = ownMembers(conversation, FIELDS, drop)
  const { rest, media } = mediaApart(conversation)
  const turns = plainTurns(rest, VENDOR, drop)
  return present({
    inputs: {},
    ...own,
    query: turns.map(({ role, text }) => `${role.toUpperCase()}: \n${text}\n`).join(''),
    response_mode: conversation.stream ? 'streaming' : 'blocking',
    user: conversation.user,
    files: media.map(fileOut),
    auto_generate_name: false,
  })
}

const FIELDS: VendorFields = {
  vendor: VENDOR,
  fields: ['user'],
  own: ['inputs', 'workflow_id', 'trace_id'],
}

function fileOut({ kind: type, source, name }: MediaPart): Json {
  if (source.type === 'file' || source.type === 'text') throw unsupportedField(VENDOR, 'file')
  if (source.type === 'url') return { type, transfer_method: 'remote_url', url: source.url }
  return { type, transfer_method: 'local_file', held: { mime: source.mime, data: source.data, name } }
}
