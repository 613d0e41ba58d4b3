import type { RequestTarget } from '../codec.ts'
import type { Conversation, MediaPart, Part, Turn } from '../conversation.ts'

const RESOLUTION = 'MEDIA_RESOLUTION_'
/** The vendor's words for all files that OpenAI has for single images; what lies between them has no counterpart. */
const details: ReadonlyMap<unknown, string> = new Map([
  [`${RESOLUTION}LOW`, 'low'],
  [`${RESOLUTION}HIGH`, 'high'],
])

/**
 * How closely the images of a request are to be looked at, where `generationConfig.mediaResolution` says it in a word that
 * others have, and of images alone: undefined where it has to stay an extra.
 */
export function imageDetailIn(resolution: unknown, turns: readonly Turn[]): string | undefined {
  const files = turns.flatMap(({ parts }) => parts.filter(isFile))
  return files.length > 0 && files.every(({ kind }) => kind === 'image') ? details.get(resolution) : undefined
}

/** The turns with what is said of all images said of each that has no word of its own. */
export const detailedTurns = (turns: readonly Turn[], detail: string): readonly Turn[] =>
  turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) => (isFile(part) && part.detail === undefined ? { ...part, detail } : part)),
  }))

/**
 * The one resolution that the vendor has for all files. Another dialect's images have it where all of them ask for the same,
 * and are told of otherwise.
 */
export function resolutionOut({ extras, imageDetail, turns }: Conversation, target: RequestTarget): string | undefined {
  if (extras.from === 'gemini') return imageDetail && RESOLUTION + imageDetail.toUpperCase()
  const asked = new Set(turns.flatMap(({ parts }) => parts.filter(isImage).map(({ detail }) => detail ?? 'auto')))
  const [only = 'auto'] = asked
  if (asked.size < 2 && only === 'auto') return undefined
  if (asked.size === 1) {
    const resolution = RESOLUTION + only.toUpperCase()
    if (details.has(resolution)) return resolution
  }
  target.drop('detail')
  return undefined
}

/** The resolution of a single file, which clients of this dialect alone may ask for; what is said of all is not said again. */
export const ownResolution = ({ detail }: MediaPart, ofAll: string | undefined) =>
  detail === undefined || detail === ofAll ? {} : { mediaResolution: { level: RESOLUTION + detail.toUpperCase() } }

/** The word of a single file in lower case, the vendor's prefix aside. */
export const ownDetailIn = (level: unknown): string | undefined =>
  typeof level === 'string' ? level.replace(RESOLUTION, '').toLowerCase() : undefined

const isFile = (part: Part): part is MediaPart => part.type === 'media'
const isImage = (part: Part): part is MediaPart => isFile(part) && part.kind === 'image'
