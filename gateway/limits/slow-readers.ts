import type { Server } from 'node:http'
import { isAnswering } from './broken-requests.ts'

/** How long a response may wait for a client that does not read it. */
const STALLED_MS = 300_000

/**
 * Closes connections of clients that stopped reading in the middle of a response, which would otherwise occupy memory,
 * a slot and a connection forever. A response with nothing to send may be idle for any time.
 */
export function letGoOfStalled(server: Server, stalledMs = STALLED_MS): void {
  // Node calls this if nothing was read or written for that long; for connections without a request, after their own
  // timeout.
  server.setTimeout(stalledMs, (socket) => {
    if (socket.writableLength > 0 || !isAnswering(socket)) socket.destroy()
  })
}
