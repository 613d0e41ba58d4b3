import { LRUCache } from 'lru-cache'
import type { Media } from '../../base/bytes/data-url.ts'
import { lruLife } from '../../base/lru.ts'

/** Files fetched a moment ago, so that a retry on another channel does not fetch them again. */
interface KeptFiles {
  get(url: string): Media | undefined
  set(url: string, file: Media): void
  clear(): void
}

type Keeping = Readonly<{
  /** Files at once. */
  max: number
  /** Of base64 text in all; a larger file is not kept. */
  maxBytes: number
  ttlMs: number
}>

/** Forgets what is older than `ttlMs`, then what was longest unused. `monotonic` gives milliseconds. */
export function createKeptFiles({ max, maxBytes, ttlMs }: Keeping, monotonic: () => number): KeptFiles {
  const files = new LRUCache<string, Media>({
    max: max,
    maxSize: maxBytes,
    sizeCalculation: ({ data }) => Math.max(1, data.length),
    ...lruLife(ttlMs, monotonic),
  })
  let timer: NodeJS.Timeout | undefined
  /** One timer while anything is kept: megabytes do not wait for the next request to go. */
  const watch = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      files.purgeStale()
      if (files.size > 0) watch()
    }, ttlMs).unref()
  }
  return {
    get: (url) => files.get(url),
    set(url, file) {
      files.set(url, file)
      watch()
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      files.clear()
    },
  }
}
