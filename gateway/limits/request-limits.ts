import { refuse } from '../base/errors.ts'

/** Max requests relayed at once (docs/reference/limits.md#concurrent-requests); 0 means unlimited. */
export type RequestBounds = Readonly<{ all: number; perUser: number; perKey: number }>

/** The account of a request; a guest key may only reach half of the account's limits. */
export type LimitedCaller = Readonly<{ account: Readonly<{ id: number }>; isGuest?: boolean }>

/** A caller with its token (0 for none). */
type KeyHolder = LimitedCaller & Readonly<{ tokenId: number }>

export interface RequestLimits {
  /** Counts a request; throws 429 without counting it if there are too many. */
  enter(holder: KeyHolder): void
  leave(holder: KeyHolder): void
}

/** Entries with a count of 0 are kept for reuse while there are at most this many entries in total. */
const MAX_IDLE = 10_000

/** Limits by user and by key, so that no one can use all slots. */
export function createRequestLimits({ perUser, perKey }: Omit<RequestBounds, 'all'>): RequestLimits {
  const users = new Map<number, number>()
  const keys = new Map<number, number>()
  return {
    enter(holder) {
      const { account, tokenId } = holder
      const ofUser = users.get(account.id) ?? 0
      const ofKey = keys.get(tokenId) ?? 0
      const maxForUser = shareOf(holder, perUser)
      if (perUser > 0 && ofUser >= maxForUser) throw tooMany('relay.tooManyOfUser', maxForUser)
      if (tokenId !== 0 && perKey > 0 && ofKey >= perKey) throw tooMany('relay.tooManyOfKey', perKey)
      users.set(account.id, ofUser + 1)
      if (tokenId !== 0) keys.set(tokenId, ofKey + 1)
    },
    leave({ account, tokenId }) {
      lower(users, account.id)
      if (tokenId !== 0) lower(keys, tokenId)
    },
  }
}

/** The share of an account's limit that a caller may reach: a guest key leaves the second half free. */
export const shareOf = ({ isGuest = false }: Pick<LimitedCaller, 'isGuest'>, limit: number): number =>
  isGuest ? Math.ceil(limit / 2) : limit

function lower(counts: Map<number, number>, id: number): void {
  const left = (counts.get(id) ?? 1) - 1
  if (left === 0 && counts.size > MAX_IDLE) counts.delete(id)
  else counts.set(id, left)
}

const tooMany = (key: 'relay.tooManyOfUser' | 'relay.tooManyOfKey', count: number) =>
  refuse('limited', key, { count }, { code: 'too_many_requests', retryAfterSeconds: 1 })
