import { connect, type Socket } from 'node:net'
import { guardedLookup, MetadataAddressRefused, metadataHost } from '../base/metadata-address.ts'

type Opened = (error: Error | null, opened: { connection: Socket } | false) => void
type Place = Readonly<{ host: string; port: number; timeoutMs: number }>

/**
 * Connects to a mail server: private addresses are allowed, metadata addresses never, written or resolved
 * (docs/reference/security.md#outgoing-calls). Calls back once, with the connection or why there is none.
 */
export function openSocket({ host, port, timeoutMs }: Place, opened: Opened): void {
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
