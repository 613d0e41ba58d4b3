import type { Context } from 'koa'
import type { ApiCall } from '../../../shared/api/call.ts'
import { option } from '../../../shared/api/option.ts'
import { TWO_FACTORS_REQUIRED } from '../../../shared/api/security.ts'
import { status } from '../../../shared/api/status.ts'
import { LOG_IN_AGAIN } from '../../../shared/log-in-again.ts'
import { formatMessage, localeFrom } from '../../../shared/messages/format.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'
import { STORAGE_UNAVAILABLE, storageRefusal } from '../../base/storage-fault.ts'
import { hasMessage, type Packed, wasPacked } from '../serve.ts'
import { UNPARSABLE } from './body.ts'
import { checkAnswer } from './parse-request.ts'

type ResultWithExtras = Readonly<{ data?: unknown; failed?: string; extras: object }>

/**
 * Writes a handler's result as an envelope (docs/reference/api.md#envelope); `isChecked` validates it against the
 * contract first. If the contract has `extras`, its fields are at the top level.
 */
export function answer(ctx: Context, call: ApiCall, returned: unknown, isChecked: boolean): void {
  if (wasPacked(returned)) {
    answerPacked(ctx, call, returned, isChecked)
    return
  }
  const defaultMessage = call.messageInData ? 'success' : ''
  const message = hasMessage(returned) ? formatMessage(localeOf(ctx), returned.message) : defaultMessage
  const result = hasMessage(returned) ? returned.result : returned
  // `serve` lets a handler of a contract with `extras` return no other form.
  const { data, failed, extras } = call.extras
    ? (result as ResultWithExtras)
    : { data: result, failed: undefined, extras: {} }
  if (isChecked && failed === undefined) checkAnswer(call, data, extras)
  ctx.status = 200
  ctx.body =
    failed === undefined
      ? { success: true, message, data: data ?? null, ...extras }
      : { success: false, message: failed, ...extras }
}

/** Sends a compressed envelope unchanged, or its text to clients without compression. */
function answerPacked(ctx: Context, call: ApiCall, { text, gzip }: Packed, isChecked: boolean): void {
  if (isChecked) {
    const { data, success: _, message: __, ...extras } = JSON.parse(text.toString())
    checkAnswer(call, data, extras)
  }
  const isSqueezed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  ctx.status = 200
  ctx.type = 'json'
  ctx.vary('Accept-Encoding')
  if (isSqueezed) ctx.set('Content-Encoding', 'gzip')
  ctx.body = isSqueezed ? gzip : text
}

/**
 * The only error boundary of `/api`: an expected refusal becomes `success: false` with HTTP 200, except the few with
 * another status, such as 401 for anonymous callers or 429 for rate limits (docs/reference/api.md#statuses); anything
 * else is an internal error and shows only its id.
 */
export function answerError(ctx: Context, thrown: unknown, log: Logger): void {
  const unwritten = thrown instanceof GatewayError ? undefined : storageRefusal(thrown)
  if (unwritten) log.warn('the database refused a console call', { path: ctx.path, error: thrown })
  const error = unwritten ?? thrown
  if (error instanceof GatewayError) {
    ctx.status = statusFor(error, ctx.state.call)
    if (error.kind === 'slow') ctx.set('Connection', 'close')
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds))
    const message = formatMessage(localeOf(ctx), error.key, error.params)
    ctx.body = refusalOf(ctx, message, error.code)
    return
  }
  const id = String(ctx.state.requestId ?? '')
  log.error('console call failed', { requestId: id, method: ctx.method, path: ctx.path, error })
  ctx.status = 500
  ctx.body = { success: false, message: formatMessage(localeOf(ctx), 'relay.internal', { id }) }
}

/**
 * A refusal on which the console acts has its code. Otherwise, the message of one with HTTP 200 is in `data` if the call
 * declares that.
 */
function refusalOf(ctx: Context, message: string, code: string | undefined): object {
  if (code === TWO_FACTORS_REQUIRED || code === LOG_IN_AGAIN) return { success: false, message, code }
  return ctx.state.messageInData && ctx.status === 200
    ? { success: false, message: 'error', data: message }
    : { success: false, message }
}

/** Refuses a call from a page of another site; the message is not meant for users. */
export function answerForeign(ctx: Context): void {
  ctx.status = 403
  ctx.body = { success: false, message: formatMessage(localeOf(ctx), 'auth.foreign') }
}

/** Refuses changes on a demo site (RFC 9110 §15.5.6). */
export function answerDemo(ctx: Context): void {
  ctx.status = 405
  ctx.set('Allow', '')
  ctx.body = { success: false, message: formatMessage(localeOf(ctx), 'http.405') }
}

/** Some refusals have a specific status (docs/reference/api.md#statuses). */
function statusFor({ kind, code, key }: GatewayError, call: unknown): number {
  if (key === 'oauth.state') return 403
  if (call === option.update && code === UNPARSABLE) return 400
  if (code === STORAGE_UNAVAILABLE) return 503
  if (call === status.test && kind === 'unavailable') return 503
  return statuses[kind] ?? 200
}

const statuses: Partial<Record<GatewayError['kind'], number>> = { unauthenticated: 401, slow: 408, limited: 429 }

export const localeOf = (ctx: Context) => localeFrom(ctx.get('accept-language') || undefined)
