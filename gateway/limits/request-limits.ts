import { refuse } from '../base/errors.ts'

/** Requests relayed at once (docs/reference/limits.md#requests-at-once); 0 is no limit. */
export type RequestBounds = Readonly<{ all: number; perUser: number; perKey: number }>

/** Who holds a slot: an account, and the token it came with (0 for none), which may be a guest's. */
type LimitedCaller = Readonly<{ account: Readonly<{ id: number }>; tokenId: number; isGuest?: boolean }>

/** How many requests each account and each key has under way. */
export interface RequestLimits {
  /** Counts one more; refuses the one too many (429), which is not counted. */
  enter(holder: LimitedCaller): void
  /** Gives back what `enter` has counted. */
  leave(holder: LimitedCaller): void
}

/** So many counts of nothing are kept, since those who come again need no new ones. */
const MAX_IDLE = 10_000

/** Shares by user and by key, so that nobody takes every slot. */
export function createRequestLimits({ perUser, perKey }: Omit<RequestBounds, 'all'>): RequestLimits {
  const users = new Map<number, number>()
  const keys = new Map<number, number>()
  return {
    enter({ account, tokenId, isGuest }) {
      const ofUser = users.get(account.id) ?? 0
      const ofKey = keys.get(tokenId) ?? 0
      const maxOfUser = isGuest ? Math.ceil(perUser / 2) : perUser
      if (perUser > 0 && ofUser >= maxOfUser) throw tooMany('relay.tooManyOfUser', maxOfUser)
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
