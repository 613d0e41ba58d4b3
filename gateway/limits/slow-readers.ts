import type { Server } from 'node:http'
import { isAnswering } from './broken-requests.ts'

/** How long an answer may wait for a caller that takes nothing of it. */
const STALLED_MS = 300_000

/**
 * Lets go of callers that stopped reading with an answer half taken, which would hold it, its slot and its connection for
 * ever. An answer that is quiet since there is nothing to send is left alone, however long.
 */
export function letGoOfStalled(server: Server, stalledMs = STALLED_MS): void {
  // Node asks whenever nothing was read or written for so long; for connections without a request, after their own wait.
  server.setTimeout(stalledMs, (socket) => {
    if (socket.writableLength > 0 || !isAnswering(socket)) socket.destroy()
  })
}
