import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { upTo } from '../../base/lru.ts'
import type { LogFilter } from '../../store/log/logs.ts'

/**
 * Where the pages of a list begin for who turns them. A page that follows one that was read begins where that one ended:
 * rows that arrived meanwhile shift nothing, and nothing has to be counted off.
 */
interface LogWalks {
  /** The id that the rows of this page are below; undefined for the first page and after a jump. */
  before(walk: string, page: number): number | undefined
  /** Remembers the last id of a page; the first page begins a new walk. */
  remember(walk: string, page: number, last: number | undefined): void
}

const MAX_WALKS = 500
const MAX_PAGES = 2000
const WALK_MS = 120_000

/** Walks that stood still for two minutes are forgotten, and the longest ago walked when there are too many. */
export function createLogWalks(clock: Pick<Clock, 'monotonic'>): LogWalks {
  const walks = new LRUCache<string, Map<number, number>>({
    ...upTo(MAX_WALKS),
    ttl: WALK_MS,
    ttlResolution: 0,
    // A start at 0 would count as none.
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

/** Names the walk of one person through one list. */
export const walkOf = (actorId: number, filter: LogFilter, pageSize: number): string =>
  JSON.stringify([actorId, pageSize, Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1))])
