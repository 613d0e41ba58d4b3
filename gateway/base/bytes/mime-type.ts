import mime from 'mime'

export const UNKNOWN_TYPE = 'application/octet-stream'

/** Number of leading bytes that `sniffed` reads. */
export const SNIFFED_BYTES = 64

/** Signatures by offset, as Latin-1 text; the first match wins. */
const signatures: readonly (readonly [offset: number, signature: string, mime: string])[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftyphei', 'image/heic'],
  [4, 'ftypmif1', 'image/heif'],
  [0, '%PDF-', 'application/pdf'],
  [0, 'ID3', 'audio/mpeg'],
  [0, '\xff\xf1', 'audio/aac'],
  [0, '\xff\xf9', 'audio/aac'],
  [0, '\xff\xfb', 'audio/mpeg'],
  [0, '\xff\xfa', 'audio/mpeg'],
  [0, '\xff\xf3', 'audio/mpeg'],
  [0, '\xff\xf2', 'audio/mpeg'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'fLaC', 'audio/flac'],
  [4, 'ftypM4A', 'audio/mp4'],
  [4, 'ftypqt', 'video/mov'],
  [4, 'ftyp3g', 'video/3gpp'],
  [4, 'ftyp', 'video/mp4'],
  [0, 'FLV\x01', 'video/flv'],
  [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video/wmv'],
  [0, '\0\0\x01\xba', 'video/mpeg'],
  [0, '\0\0\x01\xb3', 'video/mpeg'],
]

/** Containers whose bytes 8 to 11 identify their content. */
const containers: Readonly<Record<string, string>> = {
  'RIFF WEBP': 'image/webp',
  'RIFF WAVE': 'audio/wav',
  'RIFF AVI ': 'video/avi',
  'FORM AIFF': 'audio/aiff',
}

/** Alternative spellings of a type, mapped to the one in vendors' lists (docs/reference/conversion.md#media-types). */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/x-aiff': 'audio/aiff',
  'video/quicktime': 'video/mov',
  'video/x-m4v': 'video/mp4',
  'video/x-msvideo': 'video/avi',
  'video/x-ms-wmv': 'video/wmv',
  'video/x-flv': 'video/flv',
  'binary/octet-stream': UNKNOWN_TYPE,
  'application/binary': UNKNOWN_TYPE,
  'application/x-binary': UNKNOWN_TYPE,
  'application/download': UNKNOWN_TYPE,
  'application/x-download': UNKNOWN_TYPE,
  'application/force-download': UNKNOWN_TYPE,
}

/**
 * Normalizes the type in a header or data URL: lower case, without parameters, one spelling per type; `UNKNOWN_TYPE` if
 * missing or invalid.
 */
export function declaredType(text: string): string {
  const bare = text.slice(0, 200).split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? ''
  if (!/^[a-z0-9]{1,20}\/[a-z0-9][a-z0-9.+_-]{0,80}$/.test(bare)) return UNKNOWN_TYPE
  return (Object.hasOwn(aliases, bare) && aliases[bare]) || bare
}

/** Detects a type from the first bytes of a file; returns undefined if there is no match. */
export function sniffed(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, SNIFFED_BYTES)
  if (head.startsWith('\x1a\x45\xdf\xa3')) return head.includes('webm') ? 'video/webm' : 'video/x-matroska'
  if (head.startsWith('BM') && head.slice(6, 10) === '\0\0\0\0') return 'image/bmp'
  const container = `${head.slice(0, 4)} ${head.slice(8, 12)}`
  if (Object.hasOwn(containers, container)) return containers[container]
  return signatures.find(([offset, signature]) => head.startsWith(signature, offset))?.[2]
}

export function typeOfName(name: string): string | undefined {
  const ending = name.slice(-MAX_ENDING_LENGTH)
  const type = ending.includes('.') ? mime.getType(ending) : null
  return type === null ? undefined : declaredType(type)
}

const MAX_ENDING_LENGTH = 20

/**
 * Returns the type of a file (docs/reference/conversion.md#media-types): as declared, else by its first bytes, else by
 * the extensions of its names. The bytes also correct an image declared as another kind of image, which vendors reject.
 */
export function typeOf(declared: string, head: Buffer, names: readonly string[]): string {
  const found = sniffed(head)
  if (declared.startsWith('image/')) return found?.startsWith('image/') ? found : declared
  if (declared !== UNKNOWN_TYPE) return declared
  return found ?? names.map(typeOfName).find((type) => type !== undefined) ?? UNKNOWN_TYPE
}
