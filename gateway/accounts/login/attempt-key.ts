import type { Sessions } from './sessions.ts'

/**
 * The key attempts on an account are counted by: per address if its owner is logged in from there, so that attempts
 * from elsewhere do not lock the owner out; otherwise `otherwise`, shared by all other addresses.
 */
export const triesKey = async (
  sessions: Pick<Sessions, 'knows'>,
  { userId, ip, otherwise }: Readonly<{ userId: number; ip: string; otherwise: string }>,
): Promise<string> => ((await sessions.knows(userId, ip)) ? `account ${userId} at ${ip}` : otherwise)
