import { type JsonObject, numberIn, objectIn, parsed, textIn, written } from '../../base/json/json.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { withoutKeysIn, withoutKnown } from '../upstream/redaction.ts'

const MAX_TEXT = 20_000
/** A page of a hundred tasks is read and written at once. */
const MAX_JSON = 32 * 1024

/** A text of a vendor's as it is kept: of a bounded length, without the channel's keys and its host. */
export const textOf = (json: JsonObject, name: string, channel: ActiveChannel): string | undefined => {
  const text = textIn(json[name])
  // Twice as much is looked at, so that no key is cut in half before it is found.
  return text === undefined ? undefined : withoutKnown(text.slice(0, 2 * MAX_TEXT), channel).slice(0, MAX_TEXT)
}

/** A time of a vendor's, in its own unit; one that is not said, or is no time, is undefined. */
export function timeOf(json: JsonObject, name: string): number | undefined {
  const value = numberIn(json[name])
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** JSON of a vendor's as it is kept: without the channel's keys; undefined where it says nothing, too much, or what is `known` of it. */
export function jsonOf(json: JsonObject, name: string, channel: ActiveChannel, known?: string): string | undefined {
  const value = json[name]
  if (value === undefined || value === null || value === '' || roomAfter(value, MAX_JSON) < 0) return undefined
  const text = written(value, '')
  if (text.length > MAX_JSON || text === '' || text === known) return undefined
  return written(withoutKeysIn(value, channel), '')
}

/** What is left of `room` characters after a value as JSON, at most; no more of a larger value is read than shows it. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2
  if (typeof value !== 'object' || value === null) return room - 1
  let left = room - 2
  if (Array.isArray(value)) {
    for (const one of value) {
      if (left < 0) break
      left = roomAfter(one, left - 1)
    }
  } else {
    for (const name in value) {
      if (left < 0) break
      left = roomAfter(Reflect.get(value, name), left - name.length - 3)
    }
  }
  return left
}

/** What of a drawing's properties is kept: others name servers and accounts of the vendor's. */
const PROPERTIES = ['finalPrompt', 'finalZhPrompt', 'promptEn', 'bannedWord', 'numberOfQueues']

/** Properties of a drawing as they are kept, as JSON; undefined where none is said, and where they are those that are `known`. */
export function propertiesOf(value: unknown, channel: ActiveChannel, known?: string): string | undefined {
  const all = objectIn(value)
  const said = PROPERTIES.flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name]] as const] : []))
  return said.length === 0 ? undefined : jsonOf({ said: Object.fromEntries(said) }, 'said', channel, known)
}

/**
 * Percent of a task that goes on, told as a number or a text; undefined where it is neither. 100% is said by a state that is
 * an end alone: what comes after it would never be seen.
 */
export function progressOf(json: JsonObject): string | undefined {
  const { progress } = json
  const value =
    typeof progress === 'number' ? progress : Number(/^(\d{1,3})(?:\.\d+)?%$/.exec(textIn(progress) ?? '')?.[1])
  return Number.isFinite(value) ? `${Math.min(Math.max(Math.trunc(value), 0), 99)}%` : undefined
}

/** A longer address is none. */
export const MAX_ADDRESS = 8192
const MAX_VIDEOS = 8
/** Entries of a list that are looked at. */
const MAX_VIDEO_ENTRIES = 100

/**
 * The addresses of videos as they are kept; undefined where none is told. They are told as one, as a list, or as a list in a
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

/** A change without what stays as it is; undefined where everything does. */
export function differing<C extends object>(row: object, change: C): Partial<C> | undefined {
  const known: Readonly<Record<string, unknown>> = { ...row }
  const entries = Object.entries(change).filter(([name, value]) => value !== undefined && known[name] !== value)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<C>) // members of the change itself
}
