import { isObject, objectIn, parsed } from '../../../base/json.ts'
import { readError, UpstreamError } from '../../upstream/upstream-error.ts'
import type { GreetingErrors } from '../realtime/greeting.ts'

/** What the vendor's reasons for a close would have been as statuses; it has no frame for errors. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/api key|unauthenticated|credential/i, 401],
  [/permission|denied/i, 403],
  [/quota|exhausted|rate limit/i, 429],
  [/not found|not supported for bidi/i, 404],
]
/** Close codes for a frame that makes no sense, and for one that is not allowed (RFC 6455 §7.4.1). */
const CALLERS_FAULT = [1007, 1008]

/** How Gemini tells that there will be no session: it closes, with its reason in words. */
export const liveErrors: GreetingErrors = {
  errorIn(text) {
    const { error } = objectIn(parsed(text))
    if (!isObject(error)) return undefined
    const { code } = error
    return readError(typeof code === 'number' && code >= 400 && code <= 599 ? code : 502, text)
  },
  ended(code, reason) {
    if (reason === '') return new UpstreamError(502, 'the upstream closed the connection', { transport: true })
    const known = statuses.find(([pattern]) => pattern.test(reason))?.[1]
    const status = known ?? (CALLERS_FAULT.includes(code) ? 400 : 502)
    return new UpstreamError(status, reason, { body: { message: reason, code } })
  },
}
