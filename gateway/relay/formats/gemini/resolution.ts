import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation, MediaPart, Part, Turn } from '../conversation.ts'

const RESOLUTION = 'MEDIA_RESOLUTION_'
/** The resolutions that have a counterpart in OpenAI's detail levels. */
const details: ReadonlyMap<unknown, string> = new Map([
  [`${RESOLUTION}LOW`, 'low'],
  [`${RESOLUTION}HIGH`, 'high'],
])

/**
 * Returns the detail level for `generationConfig.mediaResolution` if other dialects have it and all files are images;
 * undefined if it has to remain an extra.
 */
export function imageDetailIn(resolution: unknown, turns: readonly Turn[]): string | undefined {
  const files = turns.flatMap(({ parts }) => parts.filter(isFile))
  return files.length > 0 && files.every(({ kind }) => kind === 'image') ? details.get(resolution) : undefined
}

export const detailedTurns = (turns: readonly Turn[], detail: string): readonly Turn[] =>
  turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) => (isFile(part) && part.detail === undefined ? { ...part, detail } : part)),
  }))

/**
 * Returns the resolution for all files. For another dialect, only if all images request the same level, low or high;
 * other levels are reported.
 */
export function resolutionOut({ extras, imageDetail, turns }: Conversation, target: RequestTarget): string | undefined {
  if (extras.from === 'gemini') return imageDetail && RESOLUTION + imageDetail.toUpperCase()
  const levels = new UntrustedSet(
    turns.flatMap(({ parts }) => parts.filter(isImage).map(({ detail }) => detail ?? 'auto')),
  )
  const [only = 'auto'] = levels
  if (levels.size < 2 && only === 'auto') return undefined
  if (levels.size === 1) {
    const resolution = RESOLUTION + only.toUpperCase()
    if (details.has(resolution)) return resolution
  }
  target.drop('detail')
  return undefined
}

/** Writes the resolution of a single file, unless it equals that of all files. */
export const ownResolution = ({ detail }: MediaPart, ofAll: string | undefined) =>
  detail === undefined || detail === ofAll ? {} : { mediaResolution: { level: RESOLUTION + detail.toUpperCase() } }

export const ownDetailIn = (level: unknown): string | undefined =>
  typeof level === 'string' ? level.replace(RESOLUTION, '').toLowerCase() : undefined

const isFile = (part: Part): part is MediaPart => part.type === 'media'
const isImage = (part: Part): part is MediaPart => isFile(part) && part.kind === 'image'
