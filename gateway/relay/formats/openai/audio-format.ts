/** OpenAI names audio by its format, everyone else by its media type. */
const mimes: Readonly<Record<string, string>> = { pcm16: 'audio/pcm', opus: 'audio/ogg' }
/** Media types whose format is not simply their subtype. */
const audioFormats: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/pcm': 'pcm16',
  'audio/l16': 'pcm16',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
}

/** The media type of a format (`wav`, `mp3`): spec/relay.md §3.5. */
export const audioMime = (format: string): string => mimes[format] ?? `audio/${format}`

/** The format of a media type; what the table does not have is its subtype. */
export function audioFormat(mime: string): string {
  const [type = ''] = mime.toLowerCase().split(';')
  return audioFormats[type] ?? type.replace(/^audio\//, '')
}

/** Base64 of the first bytes of what a model may speak in. */
const beginnings: readonly (readonly [string, string])[] = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mp3'],
  ['//v', 'audio/mp3'],
  ['//N', 'audio/mp3'],
  ['//P', 'audio/aac'],
  ['//H', 'audio/aac'],
  ['T2dnU', 'audio/ogg'],
  ['ZkxhQ', 'audio/flac'],
]

/** The media type of spoken output, told from its first bytes: answers do not name it. Headless samples are PCM. */
export const spokenMime = (data: string): string =>
  beginnings.find(([beginning]) => data.startsWith(beginning))?.[1] ?? 'audio/pcm'
