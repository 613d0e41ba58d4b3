import { refuse } from '../base/errors.ts'

/** Max requests relayed at once (docs/reference/limits.md#concurrent-requests); 0 means unlimited. */
export type RequestBounds = Readonly<{ all: number; perUser: number; perKey: number }>

/** The account and token of a request (0 for no token); guests get half of a user's limit. */
type LimitedCaller = Readonly<{ account: Readonly<{ id: number }>; tokenId: number; isGuest?: boolean }>

export interface RequestLimits {
  /** Counts a request; throws 429 without counting it if there are too many. */
  enter(holder: LimitedCaller): void
  leave(holder: LimitedCaller): void
}

/** Max entries with a count of 0, which are kept for reuse. */
const MAX_IDLE = 10_000

/** Limits by user and by key, so that no one can use all slots. */
export function createRequestLimits({ perUser, perKey }: Omit<RequestBounds, 'all'>): RequestLimits {
  const users = new Map<number, number>()
  const keys = new Map<number, number>()
  return {
    enter({ account, tokenId, isGuest }) {
      const ofUser = users.get(account.id) ?? 0
      const ofKey = keys.get(tokenId) ?? 0
      const maxForUser = isGuest ? Math.ceil(perUser / 2) : perUser
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

function lower(counts: Map<number, number>, id: number): void {
  const left = (counts.get(id) ?? 1) - 1
  if (left === 0 && counts.size > MAX_IDLE) counts.delete(id)
  else counts.set(id, left)
}

const tooMany = (key: 'relay.tooManyOfUser' | 'relay.tooManyOfKey', count: number) =>
  refuse('limited', key, { count }, { code: 'too_many_requests', retryAfterSeconds: 1 })
