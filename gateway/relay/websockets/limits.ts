const MIB = 1024 * 1024

/** The longest frame either side may send (reliability-security.md §4.4 "WebSocket"). */
export const MOST_PAYLOAD = 16 * MIB
/** So much may wait in one direction before its sender is asked to stop, and so much is left when it may go on. */
export const HIGH_WATER = MIB
export const LOW_WATER = MIB / 4
/** Sockets of one account, and of all. */
export const MOST_OF_ONE = 50
export const MOST_OF_ALL = 1000
/** The longest life of a socket, the longest silence on it, and how often it is asked whether it is there. */
export const LONGEST_MS = 60 * 60 * 1000
export const IDLE_MS = 10 * 60 * 1000
export const PING_MS = 30 * 1000

/** Close codes of RFC 6455 §7.4.1. */
export const closing = { normal: 1000, goingAway: 1001, policy: 1008, fault: 1011, later: 1013 } as const
