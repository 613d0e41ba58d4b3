import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { isHomeHost } from '../base/home-address.ts'
import { guardedLookup, MetadataAddressRefused, metadataHost } from '../base/metadata-address.ts'
import type { Settings } from '../settings/settings.ts'
import { mailRefusal, onOneLine } from './mail-refusal.ts'

/** One mail, as text and as HTML; several receivers are separated by `;`. */
export type Mail = Readonly<{ to: string; subject: string; text: string; html: string }>

/** Sends mail by the settings in force (docs/reference/options.md#mail). */
export interface Mailer {
  /**
   * Hands one mail to the mail server, within 30 s, and answers what the server said to it. Refuses with what the server
   * said instead, or with why there was no talking to it; the password is in none of it.
   */
  send(mail: Mail): Promise<string>
}

/** For single steps, and for a mail as a whole. */
type MailLimits = Readonly<{ stepMs: number; wholeMs: number }>

type MailerDeps = Readonly<{ settings: Pick<Settings, 'get'>; clock: Pick<Clock, 'now'>; limits?: MailLimits }>

const LIMITS: MailLimits = { stepMs: 15_000, wholeMs: 30_000 }
/** Its servers expect an encrypted connection from the first byte on. */
const IMPLICIT_TLS_PORT = 465

/** Builds the sender. It reads the settings at each mail, and each mail has a connection of its own. */
export const createMailer = ({ settings, clock, limits = LIMITS }: MailerDeps): Mailer => ({
  async send({ to, ...words }) {
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
        ...words,
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
 * How the server is talked to: encrypted from the first byte, or by STARTTLS as soon as it offers that; a password only where there
 * is one, and in the clear to this machine and private networks only. Those are known by the host as it is set, not by where a
 * resolver leads (docs/reference/options.md#mail).
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
type Place = Readonly<{ host: string; port: number; timeoutMs: number }>

/**
 * Connects to a mail server: private addresses are allowed, metadata addresses never, written or resolved
 * (docs/reference/security.md#outgoing-calls). Calls back once, with the connection or why there is none.
 */
function openSocket({ host, port, timeoutMs }: Place, opened: Opened): void {
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
