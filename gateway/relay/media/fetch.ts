import type { Media } from '../../base/bytes/data-url.ts'
import { UNKNOWN_TYPE } from '../../base/bytes/mime-type.ts'
import type { Clock } from '../../base/clock.ts'
import { createFairQueue } from '../../base/fair-queue.ts'
import type { AddressRule, Resolve } from '../../base/network/address-guard.ts'
import { createNameLookup } from '../../base/network/name-lookup.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Accepts, anyType, mediaUrl } from './accepted-types.ts'
import { download, type FetchPlan } from './download.ts'
import { createFetchPlanner } from './fetch-plan.ts'
import { createFileCache } from './file-cache.ts'
import { mediaRefusals, refusalFor } from './refusals.ts'

const MIB = 1024 * 1024

const mediaLimits = {
  /** Time limit of one file, from waiting for a slot to its last byte. */
  totalMs: 15_000,
  connectMs: 10_000,
  maxBytes: 20 * MIB,
  redirects: 3,
  /** Concurrent and waiting fetches; no account may take more of either than it leaves free. */
  atOnce: 16,
  waiting: 512,
  /** Cached for retries: number of files, total characters of base64, and duration. */
  cached: 32,
  cachedBytes: 32 * MIB,
  cacheMs: 60_000,
}

export type MediaFetcherDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  clock: Clock
  userAgent: string
  /** Addresses allowed in addition to public ones; none by default. */
  isAllowed?: AddressRule
  resolve?: Resolve
  limits?: Partial<typeof mediaLimits>
}>

/**
 * Fetches a file that a caller names by URL (docs/reference/limits.md#files-named-by-url). Throws kind `invalid` with
 * code `invalid_image_url` for a file that is not allowed, not available or of an unaccepted type, and `unavailable` if
 * no slot becomes free in time; rejects with the signal's reason if it is aborted first.
 */
export type FetchMedia = (url: string, signal: AbortSignal, accepts?: Accepts) => Promise<Media>

/** `close` aborts running fetches and clears the cache. */
export interface MediaFetcher {
  /** Fetches for an account, within its share of the slots. */
  fetchFor(accountId: number): FetchMedia
  close(): Promise<void>
}

/**
 * Creates the fetcher with its own connections: at most 16 concurrent fetches, shared fairly between accounts; files
 * are cached for a minute.
 */
export function createMediaFetcher(deps: MediaFetcherDeps): MediaFetcher {
  const { clock, isAllowed = () => false, resolve = createNameLookup() } = deps
  const limits = { ...mediaLimits, ...deps.limits }
  const keeping = { max: limits.cached, maxBytes: limits.cachedBytes, ttlMs: limits.cacheMs }
  const cached = createFileCache(keeping, () => clock.monotonic())
  const turns = createFairQueue(limits.atOnce, limits.waiting)
  const routes = createFetchPlanner({ ...deps, ...limits, isAllowed, resolve })

  /** Downloads once a slot is free, and converts errors to the caller's refusals. */
  const load = async (
    accountId: number,
    url: URL,
    route: FetchPlan,
    signal: AbortSignal,
    onType: (type: string) => void,
  ): Promise<Media> => {
    const timeout = AbortSignal.timeout(limits.totalMs)
    const either = AbortSignal.any([signal, timeout])
    const leave = await turns.take(accountId, either).catch(() => {
      signal.throwIfAborted()
      throw mediaRefusals.busy()
    })
    try {
      const options = { name: url.pathname, maxBytes: limits.maxBytes, onType, signal: either }
      const { mime, bytes } = await download(route, options)
      return { mime, data: bytes.toString('base64') }
    } catch (cause) {
      signal.throwIfAborted()
      if (timeout.aborted) throw mediaRefusals.timeout(url.host, limits.totalMs)
      throw refusalFor(cause, url.host, limits.maxBytes)
    } finally {
      leave()
    }
  }

  return {
    fetchFor:
      (accountId) =>
      async (text, signal, accepts = anyType) => {
        const url = mediaUrl(text)
        if (!url) throw mediaRefusals.url()
        const route = routes.to(url)
        const known = cached.get(url.href)
        const file = known ?? (await load(accountId, url, route, signal, refuseEarly(url.host, accepts)))
        if (!known) cached.set(url.href, file)
        if (!accepts(file.mime)) throw mediaRefusals.type(url.host, file.mime)
        return file
      },
    async close() {
      cached.clear()
      await routes.close()
    },
  }
}

/** Throws before the body is read if the declared type is not accepted and the bytes cannot determine another. */
const refuseEarly = (host: string, accepts: Accepts) => (declared: string) => {
  const mayChange = declared === UNKNOWN_TYPE || declared.startsWith('image/')
  if (!mayChange && !accepts(declared)) throw mediaRefusals.type(host, declared)
}
