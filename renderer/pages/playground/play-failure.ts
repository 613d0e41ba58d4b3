import * as z from 'zod/mini'
import type { TextKey } from '../../i18n.ts'
import { translate } from '../../translation.ts'

/** Why an answer failed or was cut off, and a hint if the message does not say what to do. */
export type PlayFailure = Readonly<{
  message: string
  hint: string
  /** The gateway's own code; undefined for upstream errors and without a response. */
  code?: string | undefined
}>

/** The relay's error format (docs/reference/errors.md#error-shapes). */
export const errorBody = z.object({
  error: z.object({
    message: z.catch(z.string(), ''),
    type: z.catch(z.string(), ''),
    code: z.catch(z.union([z.string(), z.pipe(z.number(), z.transform(String))]), ''),
  }),
})
export type ErrorBody = z.output<typeof errorBody>

/** The session has ended: the gateway's own 401, not a forwarded one. */
export const isSessionEnd = (status: number, { error }: ErrorBody): boolean => status === 401 && isOwn(error)

const isOwn = ({ type }: ErrorBody['error']): boolean => type === 'switchyard_error'

/**
 * The failure described by an error body, or by the HTTP status if the body has no message. Suggests files as a cause
 * if some were sent.
 */
export function failureOf(status: number, { error }: ErrorBody, withFiles = false): PlayFailure {
  const t = translate
  const message = error.message || t('http.other', { message: `HTTP ${status}` })
  const hint = hints.get(error.code) ?? (withFiles ? fileHints.get(status) : undefined) ?? statusHints.get(status)
  return { message, hint: hint ? t(hint) : '', ...(isOwn(error) ? { code: error.code } : {}) }
}

export const unreachable = (): PlayFailure => ({
  message: translate('status.fail1'),
  hint: translate('play.hint.cutOff'),
})

export const brokenOff = (): PlayFailure => ({
  message: translate('relay.streamBroken'),
  hint: translate('play.hint.again'),
})

/** Hints by code of the gateway's own refusals. */
const hints: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['no_available_channel', 'play.hint.channel'],
  ['model_price_error', 'play.hint.price'],
  ['insufficient_user_quota', 'play.hint.quota'],
  ['group_not_allowed', 'play.hint.group'],
  ['model_required', 'play.hint.model'],
  ['stream_response_error', 'play.hint.again'],
])

/** Hints by status of upstream refusals. */
const statusHints: ReadonlyMap<number, TextKey> = new Map<number, TextKey>([
  [400, 'play.hint.request'],
  [401, 'play.hint.key'],
  [403, 'play.hint.key'],
  [404, 'play.hint.otherModel'],
  [429, 'play.hint.wait'],
  [500, 'play.hint.again'],
  [502, 'play.hint.again'],
  [503, 'play.hint.again'],
  [504, 'play.hint.again'],
])

/** Hints by status if images or files were sent. */
const fileHints: ReadonlyMap<number, TextKey> = new Map<number, TextKey>([
  [400, 'play.hint.files'],
  [413, 'play.hint.files'],
  [415, 'play.hint.files'],
  [422, 'play.hint.files'],
])
