import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { ApiCall } from '../../shared/api/call.ts'
import { handover } from '../../shared/api/handover.ts'
import { setup } from '../../shared/api/setup.ts'
import { ticket } from '../../shared/api/ticket.ts'
import type { Front } from '../api/front.ts'
import type { HostGuard } from '../api/middleware/host.ts'
import { refuse } from '../base/errors.ts'
import type { Logger } from '../base/log/logger.ts'
import { normalAddress } from '../limits/client-address.ts'
import { boundPipelining, oneAtATime } from '../limits/pipelining.ts'
import { createSocketCount } from '../limits/socket-limits.ts'
import { createLanListeners } from '../share/lan-listeners.ts'
import type { MakeLanServer } from '../share/opening.ts'
import { createPlainAnswers } from '../share/own-pages.ts'
import type { Sharing } from '../share/sharing.ts'
import { createBoundServer, type ListenOptions } from './listen.ts'

type LanServerDeps = Readonly<{
  /** The gateway's routes; created with the first address that is opened. */
  front: () => Front
  sockets: NonNullable<ListenOptions['sockets']>
  log: Pick<Logger, 'warn' | 'error'>
}>

/**
 * Connects listeners on shared addresses to a server with the gateway's limits (docs/reference/share.md#listeners).
 */
export const createLanServers =
  ({ front, sockets, log }: LanServerDeps) =>
  (sharing: Pick<Sharing, 'isKnown' | 'pages' | 'callers'>): MakeLanServer =>
  ({ port, tls, isAllowed }) => {
    const { handler, expecting, upgrade } = front()
    const met =
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        note(sharing, request)
        if (sharing.isKnown(request.headers.host) && sharing.pages.answer(request, response)) return
        listener(request, response)
      }
    const server = createBoundServer(
      {
        handler: met(handler),
        expecting: met(expecting ?? handler),
        upgrade(request, wire, head) {
          note(sharing, request)
          upgrade(request, wire, head)
        },
        log,
      },
      tls && { ...secure, key: tls.key, cert: tls.pem },
    )
    const plain = tls && createPlainServer(createPlainAnswers(sharing.pages, sharing.isKnown))
    const mayStay = createSocketCount({ ...sockets, log })
    const onError = (error: Error) => log.error('a connection to a shared address could not be taken', { error })
    const door = createLanListeners({
      server,
      max: sockets.all,
      mayStay,
      isAllowed,
      port,
      onError,
      ...(plain && { plain }),
    })
    const renew: ReturnType<MakeLanServer>['renew'] = ({ key, pem }) => {
      if (tls) (server as TlsServer).setSecureContext({ ...secure, key, cert: pem }) // it was created with a certificate
    }
    return { ...door, renew }
  }

const secure = { minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const

/** An unencrypted request gets one response, within short timeouts. */
function createPlainServer(listener: RequestListener): Server {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 1000 },
    oneAtATime(listener),
  )
  boundPipelining(server)
  return server
}

function note({ callers }: Pick<Sharing, 'callers'>, { socket, headers }: IncomingMessage): void {
  const from = normalAddress(socket.remoteAddress ?? '')
  callers.note({ from, on: normalAddress(socket.localAddress ?? ''), agent: headers['user-agent'] ?? '' })
}

/**
 * Only available at the computer itself: the first setup, and the login of the desktop's window. Users may grant that
 * login in the browser at a shared address, since providers redirect there if it is the server address.
 */
const onlyHere: readonly ApiCall[] = [setup.submit, ticket.redeem, handover.take, handover.cancel]

export function lanGuard(call: ApiCall): void {
  if (onlyHere.includes(call)) throw refuse('forbidden', 'share.only_here')
}

/** Host names of shared addresses: their own, and the gateway's except its loopback ones. */
export const lanHosts = (sharing: Pick<Sharing, 'isKnown'>, hosts: Pick<HostGuard, 'isKnown'>) => ({
  isKnown: (host: string | undefined): boolean =>
    sharing.isKnown(host) || (host !== undefined && !NEAR.test(host) && hosts.isKnown(host)),
})

const NEAR = /^(localhost|127\.|\[::1\])/i
