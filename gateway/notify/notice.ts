import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import { composedInBoth } from '../mail/compose.ts'
import type { Mail } from '../mail/mailer.ts'

/** An event a user is notified of (docs/reference/accounts.md#notices). */
export type Notice = Readonly<{
  /** Identifies the kind of notice to programs, and in rate limits. */
  type: string
  subject: MessageKey
  /** One paragraph each. */
  body: readonly MessageKey[]
  params: MessageParams
  /** The values that appear in the text, for programs. */
  values: readonly string[]
}>

/** A notice as it is mailed, and as it is posted. */
export type Letter = Readonly<{ type: string; mail: Omit<Mail, 'to'>; json: string }>

export const QUOTA_EXCEED = 'quota_exceed'
export const LEDGER_DIFFERENCES = 'ledger_differences'
/** The type prefix of used-up-budget notices; the token's id and the window follow. */
export const BUDGET_REACHED = 'budget_reached'

/** Renders a notice in English and Chinese, since the receiver's is unknown; `nowSeconds` is unix time. */
export function written({ type, subject, body, params, values }: Notice, nowSeconds: number): Letter {
  const mail = composedInBoth({ subject, body, params })
  const json = JSON.stringify({ type, title: mail.subject, content: mail.text, values, timestamp: nowSeconds })
  return { type, mail, json }
}
