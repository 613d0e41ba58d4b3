import type { Media } from '../../base/bytes/data-url.ts'
import { UNKNOWN_TYPE } from '../../base/bytes/mime-type.ts'
import type { Clock } from '../../base/clock.ts'
import { createFairTurns } from '../../base/fair-turns.ts'
import type { AddressRule, Resolve } from '../../base/network/address-guard.ts'
import { createNameLookup } from '../../base/network/name-lookup.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Accepts, anyType, mediaUrl } from './accepted-types.ts'
import { download, type FetchPlan } from './download.ts'
import { createFetchPlanner } from './fetch-plan.ts'
import { createKeptFiles } from './kept-files.ts'
import { mediaRefusals, refusalFor } from './refusals.ts'

const MIB = 1024 * 1024

/** What one file and all of them may take. */
const mediaLimits = {
  /** For one file, from the wait for its turn to its last byte. */
  totalMs: 15_000,
  connectMs: 10_000,
  maxBytes: 20 * MIB,
  redirects: 3,
  /** Fetched at once, and waiting to be; of either no account has more than it leaves free. */
  atOnce: 16,
  waiting: 512,
  /** Kept for a retry: how many, of how much base64 text in all, how long. */
  kept: 32,
  keptBytes: 32 * MIB,
  keptMs: 60_000,
}

export type MediaFetcherDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  clock: Clock
  userAgent: string
  /** Addresses that may be dialled besides the public ones; none unless given. */
  isAllowed?: AddressRule
  resolve?: Resolve
  limits?: Partial<typeof mediaLimits>
}>

/**
 * Fetches the file a caller names by URL (docs/reference/limits.md#files-named-by-url). Refuses with kind `invalid`
 * and code `invalid_image_url` what may not or cannot be had or is of a type not accepted, with `unavailable` when the
 * account asks for too many files; rejects with the signal's reason when that ends first.
 */
export type FetchMedia = (url: string, signal: AbortSignal, accepts?: Accepts) => Promise<Media>

/** `close` ends what is under way and forgets what was kept. */
export interface MediaFetcher {
  /** Fetches on behalf of an account, whose share of the turns it takes. */
  fetchFor(accountId: number): FetchMedia
  close(): Promise<void>
}

/** Builds the fetcher with connections of its own: at most 16 fetches at once, shared between accounts, files are kept for a minute. */
export function createMediaFetcher(deps: MediaFetcherDeps): MediaFetcher {
  const { clock, isAllowed = () => false, resolve = createNameLookup() } = deps
  const limits = { ...mediaLimits, ...deps.limits }
  const keeping = { max: limits.kept, maxBytes: limits.keptBytes, ttlMs: limits.keptMs }
  const kept = createKeptFiles(keeping, () => clock.monotonic())
  const turns = createFairTurns(limits.atOnce, limits.waiting)
  const routes = createFetchPlanner({ ...deps, ...limits, isAllowed, resolve })

  /** Downloads when it is its turn, and says in the caller's words what went wrong. */
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
      const wanted = { name: url.pathname, maxBytes: limits.maxBytes, onType, signal: either }
      const { mime, bytes } = await download(route, wanted)
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
        const known = kept.get(url.href)
        const file = known ?? (await load(accountId, url, route, signal, refuseEarly(url.host, accepts)))
        if (!known) kept.set(url.href, file)
        if (!accepts(file.mime)) throw mediaRefusals.type(url.host, file.mime)
        return file
      },
    async close() {
      kept.clear()
      await routes.close()
    },
  }
}

/** Refuses a declared type before the body is read, where the bytes cannot make it another. */
const refuseEarly = (host: string, accepts: Accepts) => (declared: string) => {
  const mayChange = declared === UNKNOWN_TYPE || declared.startsWith('image/')
  if (!mayChange && !accepts(declared)) throw mediaRefusals.type(host, declared)
}
