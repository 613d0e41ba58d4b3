import { type JsonObject, numberIn, objectIn, parsed, textIn, written } from '../../base/json/json.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { withoutKeysIn, withoutKnown, withoutKnownIn } from '../upstream/redaction.ts'

const MAX_TEXT = 20_000
/** Max characters of a stored JSON text; a page of a hundred tasks is read and written at once. */
const MAX_JSON = 32 * 1024

/** Returns a vendor's text in the stored form: of limited length, without the channel's keys and host. */
export const textOf = (json: JsonObject, name: string, channel: ActiveChannel): string | undefined => {
  const text = textIn(json[name])
  // Reads twice as much, so that no key is split before it is found.
  return text === undefined ? undefined : withoutKnown(text.slice(0, 2 * MAX_TEXT), channel).slice(0, MAX_TEXT)
}

/** Returns a vendor's time, in its own unit; undefined if absent or invalid. */
export function timeOf(json: JsonObject, name: string): number | undefined {
  const value = numberIn(json[name])
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/**
 * Returns a vendor's JSON in the stored form: without the channel's keys; undefined if it is empty, too long, or equal
 * to `known`.
 */
export function jsonOf(json: JsonObject, name: string, channel: ActiveChannel, known?: string): string | undefined {
  const value = json[name]
  if (value === undefined || value === null || value === '' || spaceAfter(value, MAX_JSON) < 0) return undefined
  const text = written(value, '')
  if (text.length > MAX_JSON || text === '' || text === known) return undefined
  return written(withoutKeysIn(value, channel), '')
}

/**
 * Returns an upper bound of the characters left of `space` after a value as JSON; stops reading once it is exceeded.
 */
function spaceAfter(value: unknown, space: number): number {
  if (typeof value === 'string') return space - value.length - 2
  if (typeof value !== 'object' || value === null) return space - 1
  let left = space - 2
  if (Array.isArray(value)) {
    for (const one of value) {
      if (left < 0) break
      left = spaceAfter(one, left - 1)
    }
  } else {
    for (const name in value) {
      if (left < 0) break
      left = spaceAfter(Reflect.get(value, name), left - name.length - 3)
    }
  }
  return left
}

/** The stored properties of a drawing: others name the vendor's servers and accounts. */
const PROPERTIES = ['finalPrompt', 'finalZhPrompt', 'promptEn', 'bannedWord', 'numberOfQueues']

/**
 * Returns a drawing's properties in the stored form, as JSON; undefined if there are none, or if they equal `known`.
 */
export function propertiesOf(value: unknown, channel: ActiveChannel, known?: string): string | undefined {
  const all = objectIn(value)
  const stored = PROPERTIES.flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name]] as const] : []))
  if (stored.length === 0) return undefined
  return jsonOf({ said: withoutKnownIn(Object.fromEntries(stored), channel) }, 'said', channel, known)
}

/**
 * Returns the percentage of a running task, given as a number or text; undefined if invalid. At most 99%, since only
 * final states have 100%: later changes would not be polled.
 */
export function progressOf(json: JsonObject): string | undefined {
  const { progress } = json
  const value =
    typeof progress === 'number' ? progress : Number(/^(\d{1,3})(?:\.\d+)?%$/.exec(textIn(progress) ?? '')?.[1])
  return Number.isFinite(value) ? `${Math.min(Math.max(Math.trunc(value), 0), 99)}%` : undefined
}

export const MAX_ADDRESS = 8192
const MAX_VIDEOS = 8
/** Max entries of a list that are read. */
const MAX_VIDEO_ENTRIES = 100

/**
 * Returns the URLs of videos in the stored form; undefined if there are none. Vendors send one, a list, or a list in a
 * text.
 */
export function videosIn({ videoUrl, videoUrls }: JsonObject): string | undefined {
  const isText = typeof videoUrls === 'string'
  const several = isText && videoUrls.length <= MAX_VIDEOS * MAX_ADDRESS ? parsed(videoUrls) : videoUrls
  const all = (Array.isArray(several) ? several.slice(0, MAX_VIDEO_ENTRIES) : []).map(
    (one) => textIn(objectIn(one).url) ?? textIn(one),
  )
  const named = [textIn(videoUrl), ...all].filter((url): url is string => !!url && url.length <= MAX_ADDRESS)
  return named.length === 0 ? undefined : JSON.stringify([...new Set(named)].slice(0, MAX_VIDEOS))
}

/** Returns a change without unchanged members; undefined if nothing changes. */
export function differing<C extends object>(row: object, change: C): Partial<C> | undefined {
  const known: Readonly<Record<string, unknown>> = { ...row }
  const entries = Object.entries(change).filter(([name, value]) => value !== undefined && known[name] !== value)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<C>) // members of the change itself
}
