import type { Sessions } from './sessions.ts'

/**
 * The key by which tries to open an account are counted: at an address where its owner has logged in and still is, those of this
 * address only, so that nobody elsewhere keeps the owner out; else `otherwise`, for all other addresses together.
 */
export const triesKey = async (
  sessions: Pick<Sessions, 'knows'>,
  { userId, ip, otherwise }: Readonly<{ userId: number; ip: string; otherwise: string }>,
): Promise<string> => ((await sessions.knows(userId, ip)) ? `account ${userId} at ${ip}` : otherwise)
