import { JsonTooLarge, readJson, readJsonNow } from '../../base/json-read.ts'
import { LARGE, requestBounds, scanNow } from '../../base/json-scan.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { tooMany } from '../intake/parse.ts'

/** A container takes two bytes: a shorter frame is not nested too deeply, nor does it hold too much. */
const UNCOUNTED = 2 * requestBounds.depth

/** Refuses a frame with more in it, or nested more deeply, than a request may be, whatever it is. */
export function checkFrame(bytes: Buffer): void {
  if (bytes.length <= UNCOUNTED) return
  const { excess } = scanNow(bytes, requestBounds)
  if (excess !== null) throw tooMany(excess)
}

/** Whether a frame of bytes seems to be JSON; one that is none passes unread. */
export const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text)

/**
 * What a caller's frame holds, read in turns with others where it is large; undefined where it is no JSON. Refuses one with
 * more in it than a request may have.
 */
export function frameJson(bytes: Buffer): MaybePromise<unknown> {
  if (bytes.length > LARGE) return readJson(bytes, requestBounds).then(({ json }) => json, unread)
  try {
    return readJsonNow(bytes, requestBounds).json
  } catch (cause) {
    return unread(cause)
  }
}

function unread(cause: unknown): undefined {
  if (cause instanceof JsonTooLarge) throw tooMany(cause.excess)
  return undefined
}
