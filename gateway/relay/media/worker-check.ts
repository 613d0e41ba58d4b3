import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { createNameLookup } from '../../base/network/name-lookup.ts'
import type { Settings } from '../../settings/settings.ts'
import { BadStatus, download } from './download.ts'
import { createFetchPlanner } from './fetch-plan.ts'

/** A page reserved for examples (RFC 2606), which is harmless to fetch. */
export const HARMLESS_PAGE = 'https://example.com/'

type WorkerProof = Readonly<{ url: string; bytes: number; duration_ms: number }>

/** Fetches a page through the operator's worker; throws a refusal with the reason if that fails. */
export type ProveWorker = () => Promise<WorkerProof>

type WorkerCheckDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  clock: Pick<Clock, 'monotonic'>
  userAgent: string
}>

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

/**
 * Tests the worker by fetching a harmless page in the same way as files that callers name
 * (docs/reference/limits.md#files-named-by-url); the page is not stored.
 */
export const createWorkerCheck =
  ({ settings, clock, userAgent }: WorkerCheckDeps): ProveWorker =>
  async () => {
    if (settings.get('WorkerUrl') === '') throw refuse('invalid', 'worker.none')
    const planner = createFetchPlanner({
      settings,
      userAgent,
      isAllowed: () => false,
      resolve: createNameLookup(),
      connectMs: 10_000,
      redirects: 0,
    })
    const begunMs = clock.monotonic()
    try {
      const { bytes } = await download(planner.to(new URL(HARMLESS_PAGE)), {
        name: '/',
        maxBytes: MAX_BYTES,
        onType: () => {},
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const took = Math.round(clock.monotonic() - begunMs)
      return { url: HARMLESS_PAGE, bytes: bytes.length, duration_ms: took }
    } catch (cause) {
      throw refusalFor(cause)
    } finally {
      await planner.close()
    }
  }

function refusalFor(cause: unknown) {
  if (cause instanceof BadStatus) return refuse('upstream', 'worker.status', { status: cause.status }, { cause })
  const name = cause instanceof Error ? cause.name : ''
  if (/Timeout/.test(name)) return refuse('timeout', 'worker.timeout', { seconds: TIMEOUT_MS / 1000 }, { cause })
  return refuse(
    'upstream',
    'worker.unreachable',
    { said: cause instanceof Error ? cause.message : String(cause) },
    { cause },
  )
}
