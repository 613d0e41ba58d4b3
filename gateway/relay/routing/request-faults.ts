import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject } from '../../base/json/json.ts'
import type { Call } from '../model/call.ts'
import {
  isDependency,
  isOverflow,
  isTooLargeForRate,
  lacksScope,
  OversizeAnswer,
  type UpstreamError,
} from '../upstream/upstream-error.ts'

/** Whether an error is due to the call, so that it shows nothing about its channel. */
export async function isDueToCall(error: UpstreamError, call: Call): Promise<boolean> {
  if (
    isOverflow(error) ||
    isTooLargeForRate(error, call.bytes.length) ||
    isDependency(error) ||
    lacksScope(error) ||
    error instanceof OversizeAnswer
  )
    return true
  return error.vendorStatus === FORBIDDEN && (await namesForeignObject(call.json))
}

const FORBIDDEN = 403

/** Members of the vendors' requests that name something stored, in lower case without underscores. */
const NAMES = new Set([
  'cachedcontent',
  'container',
  'conversation',
  'datastore',
  'fileid',
  'fileids',
  'filesearchstorenames',
  'fileuri',
  'guardrailidentifier',
  'previousresponseid',
  'ragcorpus',
  'thread',
  'vectorstoreids',
])

/** `https://…`, and the stores of the clouds: `gs://…`, `s3://…`, `oss://…`. */
const ADDRESS = /^\s*[a-z][a-z0-9]{1,9}:\/\//i

/** Characters searched for the scheme of an address, and characters of the longest name. */
const MAX_SCHEME = 64
const MAX_NAME = 64

/** Values read before yielding to the event loop. */
const VALUES = 10_000

/**
 * Whether a request names something outside of it that a vendor must read: a file, a cache, a response, an address.
 * Vendors refuse an object that the account may not read, or that does not exist, with the error for the account itself
 * (Google's `PERMISSION_DENIED`).
 */
async function namesForeignObject(request: unknown): Promise<boolean> {
  const open: unknown[] = [request]
  for (let count = 1; open.length > 0; count += 1) {
    const value = open.pop()
    if (typeof value === 'string' && ADDRESS.test(value.slice(0, MAX_SCHEME))) return true
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) {
        if (inner && name.length <= MAX_NAME && NAMES.has(name.replaceAll('_', '').toLowerCase())) return true
        open.push(inner)
      }
    if (count % VALUES === 0) await yieldToOthers()
  }
  return false
}
