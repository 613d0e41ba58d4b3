import type { Locale, MessageParams } from '../../../shared/messages/format.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { randomDigits, randomSecret } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import { composed, type MailText } from '../../mail/compose.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Settings } from '../../settings/settings.ts'
import { CODE_MINUTES, type MailCodes } from '../../shared-state/mail-codes.ts'
import type { Rates } from '../../shared-state/rates.ts'

type CodeMailDeps = Readonly<{
  codes: MailCodes
  mailer: Mailer
  rates: Rates
  settings: Pick<Settings, 'get'>
  log: Logger
}>

type CodeMail = Readonly<{
  purpose: string
  code: string
  tries: number
  template: 'code' | 'taken' | 'reset'
  locale: Locale
  /** Template parameters other than the site name and the minutes of validity. */
  params: MessageParams
}>

const DIGITS = 6
/** Wrong attempts after which a code is invalid, as it has only a few digits. */
const MAX_TRIES = 5

/** A code the user types in to prove that they can read mail sent to the address. */
export function typedCode(purpose: string, locale: Locale): CodeMail {
  const code = randomDigits(DIGITS)
  return { purpose, code, tries: MAX_TRIES, template: 'code', locale, params: { code } }
}

/** Mail sent instead of a code to an address that already has an account; its code is random and never disclosed. */
export const takenMail = (purpose: string, locale: Locale): CodeMail => ({
  purpose,
  code: randomSecret(),
  tries: MAX_TRIES,
  template: 'taken',
  locale,
  params: {},
})

/** Codes by mail, within the limits per address (docs/reference/accounts.md#mail-codes). */
export interface CodeMails {
  /** Throws if no mail server is configured. */
  requireServer(): void
  /**
   * Sends a code, replacing the previous one. Throws if the address was sent mail too recently or too often, or if the
   * mail server does not accept this one.
   */
  send(address: string, mail: CodeMail): Promise<void>
  /** Sends a notice to an address if a mail server is configured. Does not wait; failures are only logged. */
  report(address: string, mail: MailText, locale: Locale): void
  /** Checks a code that was typed in; a correct code is consumed. */
  take: MailCodes['take']
}

/** Per address: one code and one link in 30 s, and five of each in an hour, across all endpoints. */
const sendLimits = [
  { name: 'mail again', limit: 1, windowSeconds: 30 },
  { name: 'mail of an hour', limit: 5, windowSeconds: 3600 },
]

export function createCodeMails({ codes, mailer, rates, settings, log }: CodeMailDeps): CodeMails {
  const windows = sendLimits.map((limit) => rates.window(limit))
  const requireServer = () => {
    if (settings.get('SMTPServer') === '') throw refuse('invalid', 'smtp.none')
  }
  return {
    requireServer,
    async send(address, { purpose, code, tries, template: name, locale, params }) {
      requireServer()
      // A code and a notice that the address is taken count together: the requester cannot see which is sent.
      const counted = name === 'reset' ? 'reset' : 'code'
      for (const window of windows) {
        const wait = await window.take(`${counted} ${address}`)
        if (wait > 0) throw refuse('limited', 'mail.wait', { seconds: wait }, { retryAfterSeconds: wait })
      }
      await codes.put(purpose, address, code, tries)
      const mailParams = { site: settings.get('SystemName'), min: CODE_MINUTES, ...params }
      const template = { subject: `mail.${name}_subject`, body: `mail.${name}_body`, params: mailParams } as const
      const mail = composed(locale, name === 'code' ? { ...template, stressed: code } : template)
      try {
        await mailer.send({ to: address, ...mail })
      } catch (cause) {
        // The server's reply is logged for the operator only: it may name accounts and hosts.
        log.warn('a mail could not be sent', { key: cause instanceof GatewayError ? cause.key : '', error: cause })
        throw refuse('unavailable', 'mail.failed', {}, { cause })
      }
    },
    report(address, mail, locale) {
      if (address === '' || settings.get('SMTPServer') === '') return
      mailer.send({ to: address, ...composed(locale, mail) }).catch((error: unknown) => {
        log.warn('a mail could not be sent', { key: error instanceof GatewayError ? error.key : '', error })
      })
    },
    take: codes.take,
  }
}
