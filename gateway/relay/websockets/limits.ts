/** Sockets of one account, and of all. */
export const MAX_PER_USER = 50
export const MAX_TOTAL = 1000
/** The longest life of a socket, the longest silence on it, and how often it is asked whether it is there. */
export const MAX_MS = 60 * 60 * 1000
export const IDLE_MS = 10 * 60 * 1000
export const PING_MS = 30 * 1000
/** Frames in a row that cannot be used, of which the last ends the socket. */
export const MAX_BAD_FRAMES = 10
/** Why it ends, as its caller is told. */
export const TOO_MANY_BAD = 'too many frames in a row could not be used'

/** Close codes of RFC 6455 §7.4.1. */
export const closing = { normal: 1000, goingAway: 1001, policy: 1008, fault: 1011, later: 1013 } as const
