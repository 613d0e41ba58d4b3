import type { MessageKey } from '../../shared/messages/en.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import { composedInBoth } from '../mail/compose.ts'
import type { Mail } from '../mail/mailer.ts'

/** Something that a person is told of (docs/reference/accounts.md#notices). */
export type Notice = Readonly<{
  /** By what a program tells notices apart, and by what they are counted. */
  type: string
  subject: MessageKey
  /** A paragraph each. */
  body: readonly MessageKey[]
  /** What fills the placeholders of all of them. */
  params: MessageParams
  /** What a program would read out of the text. */
  values: readonly string[]
}>

/** A notice in words, as it goes by mail, and as it is posted. */
export type Letter = Readonly<{ type: string; mail: Omit<Mail, 'to'>; json: string }>

/** The type of a reminder that an account has little left. */
export const QUOTA_EXCEED = 'quota_exceed'
/** What the types of notices begin with that the budget of a token is used up; its id and window follow. */
export const BUDGET_REACHED = 'budget_reached'

/** Writes a notice, in both languages since nobody's is known; `nowSeconds`, in unix time, is when it was written. */
export function written({ type, subject, body, params, values }: Notice, nowSeconds: number): Letter {
  const mail = composedInBoth({ subject, body, params })
  const json = JSON.stringify({ type, title: mail.subject, content: mail.text, values, timestamp: nowSeconds })
  return { type, mail, json }
}
