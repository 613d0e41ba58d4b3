import type { Locale, MessageParams } from '../../shared/messages/format.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { randomDigits, randomSecret } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import { composed, type MailWords } from '../mail/compose.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Settings } from '../settings/settings.ts'
import { CODE_MINUTES, type MailCodes } from '../shared-state/mail-codes.ts'
import type { Rates } from '../shared-state/rates.ts'

type CodeMailDeps = Readonly<{
  codes: MailCodes
  mailer: Mailer
  rates: Rates
  settings: Pick<Settings, 'get'>
  log: Logger
}>

/** A code that goes out by mail: what for, in which words, and how many wrong ones use it up. */
export type CodeMail = Readonly<{
  purpose: string
  code: string
  tries: number
  words: 'code' | 'taken' | 'reset'
  locale: Locale
  /** What the words tell beside the site and the minutes. */
  params: MessageParams
}>

const DIGITS = 6
/** Wrong ones that use up a code of so few digits. */
const MAX_TRIES = 5

/** A code to be typed off, which shows that whoever types it reads the address. */
export function typedCode(purpose: string, locale: Locale): CodeMail {
  const code = randomDigits(DIGITS)
  return { purpose, code, tries: MAX_TRIES, words: 'code', locale, params: { code } }
}

/** What is sent in place of a code to an address that has an account already; the code in it is one that nobody learns. */
export const takenMail = (purpose: string, locale: Locale): CodeMail => ({
  purpose,
  code: randomSecret(),
  tries: MAX_TRIES,
  words: 'taken',
  locale,
  params: {},
})

/** Codes by mail, within what one address may be sent (docs/reference/accounts.md#codes-by-mail). */
export interface CodeMails {
  /** Refuses while no mail server is set. */
  requireServer(): void
  /** Sends it in place of the code before. Refuses where the address has had mail too lately, or the server takes none. */
  send(address: string, mail: CodeMail): Promise<void>
  /** Tells an address of something, where there is a mail server; nobody waits for it, and what fails is logged. */
  report(address: string, words: MailWords, locale: Locale): void
  /** Takes what somebody has typed; the right one is used up. */
  take: MailCodes['take']
}

/** One code and one link in 30 s, and five of each in an hour, for an address, wherever they are asked for. */
const again = [
  { name: 'mail again', limit: 1, windowSeconds: 30 },
  { name: 'mail of an hour', limit: 5, windowSeconds: 3600 },
]

/** Builds the sender over the codes that are kept. */
export function createCodeMails({ codes, mailer, rates, settings, log }: CodeMailDeps): CodeMails {
  const windows = again.map((terms) => rates.window(terms))
  const requireServer = () => {
    if (settings.get('SMTPServer') === '') throw refuse('invalid', 'smtp.none')
  }
  return {
    requireServer,
    async send(address, { purpose, code, tries, words, locale, params }) {
      requireServer()
      // Whoever asks for a code does not see which of the two mails goes out.
      const counted = words === 'reset' ? 'reset' : 'code'
      for (const window of windows) {
        const wait = await window.take(`${counted} ${address}`)
        if (wait > 0) throw refuse('limited', 'mail.wait', { seconds: wait }, { retryAfterSeconds: wait })
      }
      await codes.put(purpose, address, code, tries)
      const said = { site: settings.get('SystemName'), min: CODE_MINUTES, ...params }
      const about = { subject: `mail.${words}_subject`, body: `mail.${words}_body`, params: said } as const
      const mail = composed(locale, words === 'code' ? { ...about, stressed: code } : about)
      try {
        await mailer.send({ to: address, ...mail })
      } catch (cause) {
        // What the server said is for the operator: it may name accounts and machines.
        log.warn('a mail could not be sent', { key: cause instanceof GatewayError ? cause.key : '', error: cause })
        throw refuse('unavailable', 'mail.failed', {}, { cause })
      }
    },
    report(address, words, locale) {
      if (address === '' || settings.get('SMTPServer') === '') return
      mailer.send({ to: address, ...composed(locale, words) }).catch((error: unknown) => {
        log.warn('a mail could not be sent', { key: error instanceof GatewayError ? error.key : '', error })
      })
    },
    take: codes.take,
  }
}
