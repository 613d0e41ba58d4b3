import { objectsIn, textIn } from '../../../base/json/json.ts'
import { bodyIn, bodyOf } from '../body-json.ts'
import type { DialTools, Provider, SentRequest, Target } from '../provider.ts'
import { uploaded, withUploads } from '../upload.ts'
import { decodeAnswer, decodeStream, errorIn } from './answer.ts'
import { encodeRequest } from './request.ts'

/** Dify's apps (docs/reference/channel-types.md#dify); the key selects the app. */
export const dify: Provider = {
  ignoresOutputLimit: true,
  addsToPrompt: true,
  remembersUsers: true,
  paths: { own: ({ channel }) => `${channel.baseUrl}/v1/chat-messages` },
  headers: ({ channel }) => ({ authorization: `Bearer ${channel.key}` }),
  wire: { encodeRequest, decodeAnswer, decodeStream },
  errorIn,
  async dial(target, sent, tools) {
    const { url, headers } = sent
    return tools.request(url, { method: 'POST', headers, bytes: await withFiles(target, sent, tools) })
  },
}

/** Uploads the bytes in a request, replacing them with file ids (Dify API reference, "Upload file"). */
async function withFiles({ channel }: Target, { bytes, headers }: SentRequest, tools: DialTools): Promise<Buffer> {
  if (!bytes.includes('"held"')) return bytes
  const body = await bodyIn(bytes)
  const user = textIn(body.user) ?? ''
  const url = new URL(`${channel.baseUrl}/v1/files/upload`)
  const { authorization = '' } = headers
  const files = await withUploads(objectsIn(body.files), async (held, { held: _, ...file }) => {
    const { id } = await uploaded(tools, url, { authorization }, held, { user })
    return { ...file, upload_file_id: id }
  })
  return bodyOf({ ...body, files }, bytes)
}
