import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'

/** Why a notice was not delivered, in a message its receiver may read. */
export type Failure = Readonly<{
  key: MessageKey
  params: MessageParams
  /** Retrying would not help. */
  isFinal: boolean
  error?: unknown
}>

export const failedWith = (key: MessageKey, params: MessageParams = {}): Failure => ({ key, params, isFinal: false })

/** The failure of a notice whose address the gateway must not connect to. */
export const addressIsRefused: Failure = { key: 'notice.reason_address', params: {}, isFinal: true }
