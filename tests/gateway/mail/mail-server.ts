import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { aCertificate } from '../channels/testing/certificate.ts'

/** A mail as received by a server on loopback. */
export type Taken = Readonly<{
  from: string
  to: readonly string[]
  raw: string
  isSecure: boolean
  user: string | undefined
}>

/** A mail server on loopback with the account `gateway` and the password `a-mail-password`, and its received mails. */
export async function aMailServer(options: SMTPServerOptions = {}) {
  const taken: Taken[] = []
  const server = new SMTPServer({
    ...aCertificate(),
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _, done) {
      if (username === 'gateway' && password === 'a-mail-password') return done(null, { user: username })
      return done(new Error(`Invalid credentials ${password}`))
    },
    onData(stream, { envelope, secure, user }, done) {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, isSecure: secure, user })
        done(null)
      }, done)
    },
    ...options,
  })
  // Clients of some tests disconnect midway.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { port, taken }
}

/** The verification code in a mail; empty if there is none. */
export const codeIn = (mail: Taken | undefined): string =>
  /\b\d{6}\b/.exec(partOf(mail?.raw ?? '', 'text/plain'))?.[0] ?? ''

/** The part of a mail with this type, decoded. */
export function partOf(raw: string, type: 'text/plain' | 'text/html'): string {
  const [, headers = '', body = ''] =
    new RegExp(`(Content-Type: ${type}[^\\n]*\\n(?:[^\\n]+\\n)*)\\r?\\n([\\s\\S]*?)\\r?\\n--`, 'i').exec(
      raw.replaceAll('\r\n', '\n'),
    ) ?? []
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(headers)) return body
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
