import { LRUCache } from 'lru-cache'
import type { Media } from '../../base/bytes/data-url.ts'
import { lruLife } from '../../base/lru.ts'

/** Recently fetched files, so that a retry on another channel does not fetch them again. */
interface FileCache {
  get(url: string): Media | undefined
  set(url: string, file: Media): void
  clear(): void
}

type Keeping = Readonly<{
  max: number
  /** Max characters of base64 in total; a larger file is not cached. */
  maxBytes: number
  ttlMs: number
}>

/** Evicts files older than `ttlMs`, then the least recently used. `monotonic` returns milliseconds. */
export function createFileCache({ max, maxBytes, ttlMs }: Keeping, monotonic: () => number): FileCache {
  const files = new LRUCache<string, Media>({
    max: max,
    maxSize: maxBytes,
    sizeCalculation: ({ data }) => Math.max(1, data.length),
    ...lruLife(ttlMs, monotonic),
  })
  let timer: NodeJS.Timeout | undefined
  /** A timer runs while files are cached, so that megabytes are not held until the next request. */
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
