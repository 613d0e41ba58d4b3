import type { WebSocket } from 'ws'

/** Close codes of RFC 6455 §7.4.1. */
export const closing = { normal: 1000, goingAway: 1001, policy: 1008, fault: 1011, later: 1013 } as const

/** Consecutive unusable frames that end the socket. */
export const MAX_BAD_FRAMES = 10
/** Close reason shown to the caller. */
export const TOO_MANY_BAD = 'too many frames in a row could not be used'

/** The close code for an error's status: try later, the caller's fault, or the gateway's. */
export const codeFor = (status: number): number => {
  if (status === 503 || status === 429) return closing.later
  return status < 500 ? closing.policy : closing.fault
}

/** Closes a socket; terminates it if the peer does not respond within two seconds. */
export function closeGracefully(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.close(code, cut(reason))
}

const CLOSE_MS = 2000
const MAX_REASON_LENGTH = 120

function cut(text: string): string {
  let end = Math.min(text.length, MAX_REASON_LENGTH)
  while (Buffer.byteLength(text.slice(0, end)) > MAX_REASON_LENGTH) end -= 1
  return text.slice(0, end)
}
