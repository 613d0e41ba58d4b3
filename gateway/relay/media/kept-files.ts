import type { Media } from '../../base/data-url.ts'

/** Files fetched a moment ago, so that a retry on another channel does not fetch them again. */
export interface KeptFiles {
  get(url: string): Media | undefined
  set(url: string, file: Media): void
  clear(): void
}

export type Keeping = Readonly<{
  /** Files at once. */
  most: number
  /** Of base64 text in all; a larger file is not kept. */
  mostBytes: number
  ttlMs: number
}>

/** Forgets what is older than `ttlMs`, then what was longest unused. `monotonic` gives milliseconds. */
export function createKeptFiles(keeping: Keeping, monotonic: () => number): KeptFiles {
  const files = new Map<string, { file: Media; until: number }>()
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  const drop = (url: string) => {
    bytes -= files.get(url)?.file.data.length ?? 0
    files.delete(url)
  }
  const dropOld = () => {
    const now = monotonic()
    for (const [url, { until }] of files) if (until <= now) drop(url)
  }
  /** One timer while anything is kept: megabytes do not wait for the next request to go. */
  const watch = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      dropOld()
      if (files.size > 0) watch()
    }, keeping.ttlMs).unref()
  }
  return {
    get(url) {
      dropOld()
      const entry = files.get(url)
      if (!entry) return undefined
      files.delete(url)
      files.set(url, entry)
      return entry.file
    },
    set(url, file) {
      drop(url)
      if (file.data.length > keeping.mostBytes) return
      files.set(url, { file, until: monotonic() + keeping.ttlMs })
      bytes += file.data.length
      for (const oldest of files.keys()) {
        if (files.size <= keeping.most && bytes <= keeping.mostBytes) break
        drop(oldest)
      }
      watch()
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      files.clear()
      bytes = 0
    },
  }
}
