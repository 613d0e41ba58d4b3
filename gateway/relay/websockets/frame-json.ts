import { JsonTooLarge, readJson, readJsonNow } from '../../base/json/json-read.ts'
import { LARGE, requestBounds } from '../../base/json/json-scan.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { tooMany } from '../intake/parse.ts'

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
