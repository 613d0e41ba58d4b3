import type { MessageKey } from '../../shared/messages/en.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { MetadataAddressRefused } from '../base/metadata-address.ts'

const MAX_LENGTH = 300

/**
 * Why a mail was not sent, in the words of the server, or of the connection that failed. What a server repeats of the
 * password, as it is or as it was sent, is left out.
 */
export function mailRefusal(cause: unknown, password: string): GatewayError {
  if (cause instanceof GatewayError) return cause
  if (cause instanceof MetadataAddressRefused) return refuse('invalid', 'smtp.address', {}, { cause })
  const { message, code = '', response, responseCode } = failureIn(cause)
  if (code === 'ETIMEDOUT' || code === 'EABORT') return refuse('timeout', 'smtp.timeout', {}, { cause })
  const said = onOneLine(withoutPassword(response ?? message, password))
  // The log tells what an error came from.
  const known = Object.assign(new Error(said), {
    code,
    responseCode,
    ...(response !== undefined && { response: said }),
  })
  return refuse('upstream', keyFor(code, message, response !== undefined), { said }, { cause: known })
}

/** What a server said, on one line of bounded length. */
export function onOneLine(said: string): string {
  const line = said.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
}

type Failure = Readonly<{ message: string; code?: string; response?: string; responseCode?: number }>

/** nodemailer adds `code` and, where the server has answered, `response` and `responseCode` to its errors. */
const failureIn = (cause: unknown): Failure =>
  cause instanceof Error ? (cause as Error & Failure) : { message: String(cause) }

function keyFor(code: string, message: string, isAnswer: boolean): MessageKey {
  if (code === 'EAUTH') return 'smtp.login'
  // Where the password must not go in the clear: STARTTLS, or the EHLO before it, was refused.
  if (/STARTTLS/.test(message) && isAnswer) return 'smtp.no_starttls'
  // The words of OpenSSL and of Electron's BoringSSL for a greeting in the clear.
  if (/wrong.version.number/i.test(message)) return 'smtp.clear'
  if (isAnswer || code === 'EENVELOPE' || code === 'EMESSAGE') return 'smtp.refused'
  // What a handshake fails of has the code of any broken connection.
  if (code === 'ETLS' || /certificate|\b(ssl|tls)\b/i.test(message)) return 'smtp.tls'
  return 'smtp.unreachable'
}

function withoutPassword(said: string, password: string): string {
  if (password === '') return said
  // Long runs of base64 may hold the password among other bytes, as AUTH PLAIN sends it.
  const kept = said.replace(/[A-Za-z0-9+/]{16,}={0,2}/g, (run) =>
    Buffer.from(run, 'base64').toString('utf8').includes(password) ? '***' : run,
  )
  return [password, Buffer.from(password).toString('base64')].reduce((text, form) => text.replaceAll(form, '***'), kept)
}
