import { isObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json.ts'
import type { Json } from '../../formats/codec.ts'
import type { DialTools, Sent, Target } from '../provider.ts'
import { type HeldFile, uploaded } from '../upload.ts'
import { objects } from './request.ts'

/** The request with the files it holds uploaded and named by their ids (Coze API reference, "Upload files"). */
export async function withFiles(target: Target, { bytes, headers }: Sent, tools: DialTools): Promise<Buffer> {
  if (!bytes.includes(HELD)) return bytes
  const body = objectIn(parsed(bytes.toString()))
  const messages = objectsIn(body.additional_messages)
  const last = messages.at(-1)
  if (last?.content_type !== 'object_string') return bytes
  const content = objectsIn(parsed(textIn(last.content) ?? ''))
  const url = new URL(`${target.channel.baseUrl}/v1/files/upload`)
  const { authorization = '' } = headers
  const named = async (part: Json): Promise<Json> => {
    if (!isHeld(part.held)) return part
    const { data } = await uploaded(tools, url, { authorization }, part.held)
    return { type: part.type, file_id: objectIn(data).id }
  }
  const said = { ...last, ...objects(await Promise.all(content.map(named))) }
  return Buffer.from(JSON.stringify({ ...body, additional_messages: [...messages.slice(0, -1), said] }))
}

/** As it stands in a text within JSON. */
const HELD = '\\"held\\"'

const isHeld = (value: unknown): value is HeldFile =>
  isObject(value) && typeof value.data === 'string' && typeof value.mime === 'string'
