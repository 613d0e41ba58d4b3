import type { MessageKey } from '../../shared/messages/en.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { MetadataAddressRefused } from '../base/network/metadata-address.ts'

const MAX_LENGTH = 300

/**
 * Maps a failed delivery to a refusal with the text of the server or of the connection error. Removes the password from
 * it, whether repeated in plain text or as it was sent.
 */
export function mailRefusal(cause: unknown, password: string): GatewayError {
  if (cause instanceof GatewayError) return cause
  if (cause instanceof MetadataAddressRefused) return refuse('invalid', 'smtp.address', {}, { cause })
  const { message, code = '', response, responseCode } = failureIn(cause)
  if (code === 'ETIMEDOUT' || code === 'EABORT') return refuse('timeout', 'smtp.timeout', {}, { cause })
  const reply = onOneLine(withoutPassword(response ?? message, password))
  // The log records the cause of an error.
  const sanitized = Object.assign(new Error(reply), {
    code,
    responseCode,
    ...(response !== undefined && { response: reply }),
  })
  return refuse('upstream', keyFor(code, message, response !== undefined), { said: reply }, { cause: sanitized })
}

/** Replaces whitespace, control and format characters with single spaces, and limits the length. */
export function onOneLine(reply: string): string {
  const line = reply.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
}

type Failure = Readonly<{ message: string; code?: string; response?: string; responseCode?: number }>

/** nodemailer adds `code` to its errors, and `response` and `responseCode` if the server replied. */
const failureIn = (cause: unknown): Failure =>
  cause instanceof Error ? (cause as Error & Failure) : { message: String(cause) }

function keyFor(code: string, message: string, isAnswer: boolean): MessageKey {
  if (code === 'EAUTH') return 'smtp.login'
  // If the password needs encryption: the server rejected STARTTLS, or the EHLO before it.
  if (/STARTTLS/.test(message) && isAnswer) return 'smtp.no_starttls'
  // The messages of OpenSSL and Electron's BoringSSL for an unencrypted greeting.
  if (/wrong.version.number/i.test(message)) return 'smtp.clear'
  if (isAnswer || code === 'EENVELOPE' || code === 'EMESSAGE') return 'smtp.refused'
  // A failed handshake has the same code as any broken connection.
  if (code === 'ETLS' || /certificate|\b(ssl|tls)\b/i.test(message)) return 'smtp.tls'
  return 'smtp.unreachable'
}

function withoutPassword(text: string, password: string): string {
  if (password === '') return text
  // Long base64 runs may contain the password among other bytes, as in AUTH PLAIN.
  const masked = text.replace(/[A-Za-z0-9+/]{16,}={0,2}/g, (run) =>
    Buffer.from(run, 'base64').toString('utf8').includes(password) ? '***' : run,
  )
  return [password, Buffer.from(password).toString('base64')].reduce(
    (text, form) => text.replaceAll(form, '***'),
    masked,
  )
}
