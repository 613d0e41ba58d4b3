import type { Sessions } from './sessions.ts'

/**
 * The key by which attempts on an account are counted: a separate one for an address from which its owner is logged in,
 * so that attempts from elsewhere do not lock the owner out; for all other addresses, the shared `otherwise`.
 */
export const triesKey = async (
  sessions: Pick<Sessions, 'knows'>,
  { userId, ip, otherwise }: Readonly<{ userId: number; ip: string; otherwise: string }>,
): Promise<string> => ((await sessions.knows(userId, ip)) ? `account ${userId} at ${ip}` : otherwise)
