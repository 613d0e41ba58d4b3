import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { upTo } from '../../base/lru.ts'
import type { LogFilter } from '../../store/log/logs.ts'

/**
 * Cursors of paged lists. The next page begins where the last one read ended: new rows shift nothing, and no rows need
 * to be skipped.
 */
interface LogWalks {
  /** Exclusive upper bound of the row ids on this page; undefined for the first page and after a jump. */
  before(walk: string, page: number): number | undefined
  /** Stores the last id of a page; the first page starts a new walk. */
  remember(walk: string, page: number, last: number | undefined): void
}

const MAX_WALKS = 500
const MAX_PAGES = 2000
const WALK_MS = 120_000

/** Walks expire after two idle minutes; above a limit, the least recently used is evicted. */
export function createLogWalks(clock: Pick<Clock, 'monotonic'>): LogWalks {
  const walks = new LRUCache<string, Map<number, number>>({
    ...upTo(MAX_WALKS),
    ttl: WALK_MS,
    ttlResolution: 0,
    // lru-cache treats a start time of 0 as unset.
    perf: { now: () => clock.monotonic() + 1 },
  })
  return {
    before: (walk, page) => walks.get(walk)?.get(page - 1),
    remember(walk, page, last) {
      const ends = (page > 1 && walks.get(walk)) || new Map<number, number>()
      if (last === undefined || ends.size >= MAX_PAGES) return
      ends.set(page, last)
      walks.set(walk, ends)
    },
  }
}

export const walkOf = (actorId: number, filter: LogFilter, pageSize: number): string =>
  JSON.stringify([actorId, pageSize, Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1))])
