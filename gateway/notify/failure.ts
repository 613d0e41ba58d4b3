import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'

/** Why a notice did not arrive, in words that its receiver may read. */
export type Failure = Readonly<{
  key: MessageKey
  params: MessageParams
  /** Trying again would change nothing. */
  isFinal: boolean
  /** For the process's log alone. */
  error?: unknown
}>

/** A failure that may pass. */
export const failedWith = (key: MessageKey, params: MessageParams = {}): Failure => ({ key, params, isFinal: false })

/** The address, as it is spelled, is none of those that may be dialled. */
export const addressIsRefused: Failure = { key: 'notice.reason_address', params: {}, isFinal: true }
