import { GatewayError } from '../../base/errors.ts'
import { parsed } from '../../base/json/json.ts'
import { JsonTooLarge, type ReadJson, readJson, readJsonNow, repeatsNames } from '../../base/json/json-read.ts'
import { requestBounds, SMALL } from '../../base/json/json-scan.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { repeated, tooMany } from '../intake/parse.ts'

/** Whether bytes may be JSON for some reader, also with a byte order mark or in UTF-16. */
export const looksLikeJson = (bytes: Buffer): boolean =>
  /^[\s\0\xef\xbb\xbf\xfe\xff]*[{[]/.test(bytes.toString('latin1'))

/**
 * The JSON of a caller's frame, parsed in its account's turn unless small; undefined if invalid. Throws if it exceeds
 * the limits of a request, or if an object repeats a name.
 */
export function frameJson(bytes: Buffer): MaybePromise<unknown> {
  if (bytes.length > SMALL) return readJson(bytes, requestBounds).then(unambiguous, unread)
  try {
    return unambiguous(readJsonNow(bytes, requestBounds))
  } catch (cause) {
    return unread(cause)
  }
}

/**
 * The JSON of an upstream's frame, parsed in its account's turn unless small; undefined if it is invalid or exceeds the
 * limits of a request.
 */
export function upstreamJson(bytes: Buffer): MaybePromise<unknown> {
  if (bytes.length <= SMALL) return parsed(bytes.toString())
  return readJson(bytes, requestBounds).then(
    ({ json }) => json,
    () => undefined,
  )
}

function unambiguous(read: ReadJson): unknown {
  if (repeatsNames(read)) throw repeated()
  return read.json
}

function unread(cause: unknown): undefined {
  if (cause instanceof GatewayError) throw cause
  if (cause instanceof JsonTooLarge) throw tooMany(cause.excess)
  return undefined
}
