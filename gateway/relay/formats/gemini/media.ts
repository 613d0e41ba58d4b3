import type { JsonObject } from '../../../base/json/json.ts'
import { own } from '../../../base/json/json.ts'
import type { RequestTarget } from '../codec.ts'
import type { MediaPart } from '../conversation.ts'
import { cannotSay } from '../refusals.ts'
import { messageIn } from './message.ts'
import { ownDetailIn, ownResolution } from './resolution.ts'

const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-aac': 'audio/aac',
  'video/quicktime': 'video/mov',
  'video/x-msvideo': 'video/avi',
  'video/x-flv': 'video/flv',
  'video/x-ms-wmv': 'video/wmv',
}

/** Media types the vendor reads: docs/reference/conversion.md#media-types and others in its reference. */
const readable = new Set([
  ...['application/pdf', 'application/json'],
  ...['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/aiff', 'audio/aac', 'audio/ogg', 'audio/flac'],
  ...['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
  ...['video/mov', 'video/mpeg', 'video/mp4', 'video/mpg', 'video/avi', 'video/wmv', 'video/mpegps', 'video/flv'],
  ...['video/webm', 'video/3gpp'],
])

/** Matches a file in the vendor's own storage, which only it can read; other URLs are public. */
export const OWN_FILE = /^(?!https?:)|\/v\d\w*\/files\//
const VIDEO_SITE = /^https?:\/\/(www\.)?(youtube\.com|youtu\.be)\//

export function mediaIn(part: JsonObject): MediaPart | undefined {
  const detail = ownDetailIn(messageIn(part.mediaResolution).level)
  const inline = messageIn(part.inlineData)
  if (typeof inline.data === 'string') {
    const mime = mimeIn(inline) ?? 'application/octet-stream'
    return mediaPart(mime, { type: 'data', mime, data: inline.data }, inline, detail)
  }
  const file = messageIn(part.fileData)
  if (typeof file.fileUri !== 'string') return undefined
  const mime = mimeIn(file)
  const kindMime = mime ?? (VIDEO_SITE.test(file.fileUri) ? 'video/*' : '')
  if (!OWN_FILE.test(file.fileUri)) return mediaPart(kindMime, { type: 'url', url: file.fileUri, mime }, file, detail)
  return mediaPart(kindMime, { type: 'file', id: file.fileUri, of: 'gemini', mime }, file, detail)
}

export type MediaWriting = Readonly<{
  target: RequestTarget
  /** The client uses this dialect: types, names and resolutions are left for the vendor to check. */
  isOwn: boolean
  imageDetail: string | undefined
}>

/**
 * Writes a part with a file, without the name that another dialect gave it: the public API has no field for the name,
 * which is written as text before the part.
 */
export function mediaOut(part: MediaPart, { isOwn, imageDetail }: MediaWriting): JsonObject {
  const { source, name } = part
  const displayName = isOwn && name !== undefined ? { displayName: name } : {}
  const resolution = isOwn ? ownResolution(part, imageDetail) : {}
  if (source.type === 'text') {
    const data = Buffer.from(source.text).toString('base64')
    return { inlineData: { mimeType: 'text/plain', data, ...displayName }, ...resolution }
  }
  if (source.type === 'data') {
    const mimeType = isOwn ? source.mime : knownMime(source.mime)
    if (mimeType === undefined) throw cannotSay(part.kind, 'gemini')
    return { inlineData: { mimeType, data: source.data, ...displayName }, ...resolution }
  }
  if (source.type === 'file' && source.of !== 'gemini') throw cannotSay('file', 'gemini')
  const mimeType = source.mime === undefined ? {} : { mimeType: source.mime }
  const fileUri = source.type === 'url' ? source.url : source.id
  return { fileData: { ...mimeType, fileUri, ...displayName }, ...resolution }
}

function kindOf(mime: string): MediaPart['kind'] {
  const [kind] = mime.split('/', 1)
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}

function mediaPart(mime: string, source: MediaPart['source'], wire: JsonObject, detail: string | undefined): MediaPart {
  const name = typeof wire.displayName === 'string' ? { name: wire.displayName } : {}
  return { type: 'media', kind: kindOf(mime), source, ...(detail && { detail }), ...name }
}

const mimeIn = (wire: JsonObject): string | undefined =>
  typeof wire.mimeType === 'string' && wire.mimeType !== '' ? wire.mimeType : undefined

function knownMime(mime: string): string | undefined {
  const plain = mime.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const known = own(aliases, plain) ?? plain
  return readable.has(known) || known.startsWith('text/') ? known : undefined
}
