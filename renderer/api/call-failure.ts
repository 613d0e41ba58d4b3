import { translate } from '../translation.ts'

/** Why a call brought no data: `refused` is the gateway's own no, `http` any status but 200, `network` no answer at all. */
type FailureKind = 'refused' | 'http' | 'network'

/**
 * A call that failed. Its message is a sentence for people, in their language
 * (docs/reference/screens.md#calls-and-failures).
 */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly kind: FailureKind
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The envelope of a refusal, for calls whose contract says what stands in it beside the message. */
  readonly beside: object
  /** The answer gave no reason, or there was none: the message is a sentence that the console has for such failures. */
  readonly isWordless: boolean

  constructor(kind: FailureKind, status: number, message: string, extras: FailureExtras = {}) {
    const { cause, beside = {}, isWordless = false } = extras
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.beside = beside
    this.isWordless = isWordless
  }
}

type FailureExtras = Readonly<{ cause?: unknown; beside?: object; isWordless?: boolean }>

/** `success: false` carries the gateway's own words; without any it is a failed request. */
export const refusedWith = (message: string, beside?: object): CallFailure =>
  new CallFailure('refused', 200, message || translate('request.fail'), {
    ...(beside ? { beside } : {}),
    isWordless: message === '',
  })

/** A failure that says first what failed, then why. */
export const failureTo = (what: string, failure: CallFailure): CallFailure =>
  new CallFailure(failure.kind, failure.status, `${what}: ${failure.message}`, { cause: failure })

/** Any status but 200, or an answer that is none; `said` is what the body told, if it told anything. */
export const httpFailure = (status: number, said: string, otherwise = `HTTP ${status}`): CallFailure =>
  new CallFailure('http', status, statusText(status, said || otherwise), { isWordless: said === '' })

/** Some statuses have a sentence of their own, whatever the answer says. */
function statusText(status: number, message: string): string {
  const t = translate
  if (status === 401) return t('login.expired')
  if (status === 405) return t('http.405')
  if (status === 429) return t('http.429')
  if (status === 500) return t('http.500')
  return t('http.other', { message })
}

/** The gateway could not be reached, or its answer broke off. */
export const networkFailure = (cause: unknown): CallFailure =>
  new CallFailure('network', 0, translate('http.other', { message: translate('status.fail1') }), {
    cause,
    isWordless: true,
  })
