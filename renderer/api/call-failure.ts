import { translate } from '../translation.ts'

/**
 * Why a call returned no data: `refused` by the gateway, `http` for any status but 200 and for an unreadable response,
 * `network` for no response.
 */
type FailureKind = 'refused' | 'http' | 'network'

/** A failed call. Its message is a localized sentence (docs/reference/screens.md#calls-and-failures). */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly kind: FailureKind
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** The envelope of a refusal, for contracts that define fields in addition to the message. */
  readonly extras: object
  /** The response gave no reason; the message is the console's generic sentence for such failures. */
  readonly isWordless: boolean

  constructor(kind: FailureKind, status: number, message: string, facts: FailureFacts = {}) {
    const { cause, extras = {}, isWordless = false } = facts
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.extras = extras
    this.isWordless = isWordless
  }
}

type FailureFacts = Readonly<{ cause?: unknown; extras?: object; isWordless?: boolean }>

/** For `success: false`; without a message, the generic "request failed" is used. */
export const refusedWith = (message: string, extras?: object): CallFailure =>
  new CallFailure('refused', 200, message || translate('request.fail'), {
    ...(extras ? { extras } : {}),
    isWordless: message === '',
  })

export const failureTo = (what: string, failure: CallFailure): CallFailure =>
  new CallFailure(failure.kind, failure.status, `${what}: ${failure.message}`, { cause: failure })

/** For any status but 200 and for unreadable responses; `message` is from the body, or empty. */
export const httpFailure = (status: number, message: string, otherwise = `HTTP ${status}`): CallFailure =>
  new CallFailure('http', status, statusText(status, message || otherwise), { isWordless: message === '' })

function statusText(status: number, message: string): string {
  const t = translate
  if (status === 401) return t('login.expired')
  if (status === 405) return t('http.405')
  if (status === 429) return t('http.429')
  if (status === 500) return t('http.500')
  return t('http.other', { message })
}

export const networkFailure = (cause: unknown): CallFailure =>
  new CallFailure('network', 0, translate('http.other', { message: translate('status.fail1') }), {
    cause,
    isWordless: true,
  })
