import i18next from 'i18next'

/** Why a call brought no data: `refused` is the gateway's own no, `http` any status but 200, `network` no answer at all. */
export type FailureKind = 'refused' | 'http' | 'network'

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

  constructor(kind: FailureKind, status: number, message: string, { cause, beside = {} }: FailureExtras = {}) {
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.beside = beside
  }
}

type FailureExtras = Readonly<{ cause?: unknown; beside?: object }>

/** `success: false` carries the gateway's own words; without any it is a failed request. */
export const refusedWith = (message: string, beside?: object): CallFailure =>
  new CallFailure('refused', 200, message || i18next.t('request.fail'), beside ? { beside } : {})

/** A failure that says first what failed, then why. */
export const failureTo = (what: string, failure: CallFailure): CallFailure =>
  new CallFailure(failure.kind, failure.status, `${what}: ${failure.message}`, { cause: failure })

/** Any status but 200; `said` is what the body told, if it told anything. */
export function httpFailure(status: number, said: string): CallFailure {
  const { t } = i18next
  if (status === 401) return new CallFailure('http', status, t('login.expired'))
  if (status === 405) return new CallFailure('http', status, t('http.405'))
  if (status === 429) return new CallFailure('http', status, t('http.429'))
  if (status === 500) return new CallFailure('http', status, t('http.500'))
  return new CallFailure('http', status, t('http.other', { message: said || `HTTP ${status}` }))
}

/** The gateway could not be reached, or its answer broke off. */
export const networkFailure = (cause: unknown): CallFailure =>
  new CallFailure('network', 0, i18next.t('http.other', { message: i18next.t('status.fail1') }), { cause })
