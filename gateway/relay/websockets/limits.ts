export const MAX_PER_USER = 50
export const MAX_TOTAL = 1000
/** Maximum age of a socket, maximum silence, and the ping interval. */
export const MAX_MS = 60 * 60 * 1000
export const IDLE_MS = 10 * 60 * 1000
export const PING_MS = 30 * 1000
/** Consecutive unusable frames that end the socket. */
export const MAX_BAD_FRAMES = 10
/** Close reason shown to the caller. */
export const TOO_MANY_BAD = 'too many frames in a row could not be used'

/** Close codes of RFC 6455 §7.4.1. */
export const closing = { normal: 1000, goingAway: 1001, policy: 1008, fault: 1011, later: 1013 } as const
