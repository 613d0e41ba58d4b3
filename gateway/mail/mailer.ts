import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { isHomeHost } from '../base/network/home-address.ts'
import { guardedLookup, MetadataAddressRefused, metadataHost } from '../base/network/metadata-address.ts'
import type { Settings } from '../settings/settings.ts'
import { mailRefusal, onOneLine } from './mail-refusal.ts'

/** A mail as text and as HTML; several recipients are separated by `;`. */
export type Mail = Readonly<{ to: string; subject: string; text: string; html: string }>

/** Sends mail with the current settings (docs/reference/options.md#mail). */
export interface Mailer {
  /**
   * Delivers one mail to the mail server within 30 s and returns the server's reply. Throws a refusal with the server's
   * reply or the connection error; it never contains the password.
   */
  send(mail: Mail): Promise<string>
}

type MailLimits = Readonly<{ stepMs: number; wholeMs: number }>

type MailerDeps = Readonly<{ settings: Pick<Settings, 'get'>; clock: Pick<Clock, 'now'>; limits?: MailLimits }>

const LIMITS: MailLimits = { stepMs: 15_000, wholeMs: 30_000 }
/** Servers on this port expect TLS from the first byte. */
const IMPLICIT_TLS_PORT = 465

export const createMailer = ({ settings, clock, limits = LIMITS }: MailerDeps): Mailer => ({
  async send({ to, ...content }) {
    const { host, port, ...server } = serverIn(settings)
    const transport = createTransport({
      host,
      port,
      ...server,
      connectionTimeout: limits.stepMs,
      greetingTimeout: limits.stepMs,
      socketTimeout: limits.stepMs,
      maxResponseSize: 65_536,
      getSocket: (_, callback) => openSocket({ host, port, timeoutMs: limits.stepMs }, callback),
    })
    try {
      const { response } = await transport.sendMail({
        ...content,
        from: { name: settings.get('SystemName'), address: senderIn(settings) },
        to: to.split(';').map((address) => ({ name: '', address: address.trim() })),
        date: new Date(clock.now()),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(limits.wholeMs),
      })
      return onOneLine(response)
    } catch (cause) {
      throw mailRefusal(cause, settings.get('SMTPToken'))
    } finally {
      transport.close()
    }
  },
})

/**
 * Connection options: TLS from the first byte, or STARTTLS if the server offers it. The password, if there is one, is
 * sent unencrypted only to this machine and private networks, which are recognized by the configured host and not by
 * how it resolves (docs/reference/options.md#mail).
 */
function serverIn(settings: Pick<Settings, 'get'>) {
  const [host, port] = [settings.get('SMTPServer'), settings.get('SMTPPort')]
  const [user, pass] = [settings.get('SMTPAccount'), settings.get('SMTPToken')]
  if (host === '') throw refuse('invalid', 'smtp.none')
  return {
    host,
    port,
    secure: port === IMPLICIT_TLS_PORT || settings.get('SMTPSSLEnabled'),
    tls: { rejectUnauthorized: !settings.get('SMTPSkipVerifyEnabled') },
    ...(user !== '' && pass !== '' && { auth: { user, pass }, requireTLS: !isHomeHost(host) }),
  }
}

function senderIn(settings: Pick<Settings, 'get'>): string {
  const address = settings.get('SMTPFrom') || settings.get('SMTPAccount')
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw refuse('invalid', 'smtp.sender')
  return address
}

type Opened = (error: Error | null, opened: { connection: Socket } | false) => void
type ServerAddress = Readonly<{ host: string; port: number; timeoutMs: number }>

/**
 * Connects to a mail server. Private addresses are allowed, metadata addresses never, whether written or resolved
 * (docs/reference/security.md#outgoing-calls). Calls back once, with the connection or an error.
 */
function openSocket({ host, port, timeoutMs }: ServerAddress, opened: Opened): void {
  if (metadataHost(host)) {
    opened(new MetadataAddressRefused(`${host} may not be used`), false)
    return
  }
  const socket = connect({ host, port, lookup: guardedLookup })
  const fail = (error: Error) => opened(error, false)
  const expire = () => socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }))
  socket.setTimeout(timeoutMs, expire)
  socket.once('error', fail)
  socket.once('connect', () => {
    socket.setTimeout(0)
    socket.off('timeout', expire)
    socket.off('error', fail)
    opened(null, { connection: socket })
  })
}
