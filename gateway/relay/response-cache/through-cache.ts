import type { ServerResponse } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import type { Hold } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import { chargeRequest, reportSettled } from '../metering/charge.ts'
import type { SettledCalls } from '../metering/settled-calls.ts'
import type { ChargedRequest } from '../model/answer.ts'
import type { Recording } from './recording.ts'
import type { CachedAnswer, ResponseCache } from './response-cache.ts'

export type CacheDeps = Readonly<{
  responseCache: ResponseCache
  clock: Clock
  settings: Pick<Settings, 'get'>
  settled: SettledCalls
}>

/** A request with its reservation, as it is charged if its response comes from the cache. */
type CacheableRequest = ChargedRequest & Readonly<{ hold: Hold }>

/** Chunk size of a cached stream: about what a caller reads at once. */
const STEP_BYTES = 16 * 1024

/**
 * Sends the cached response of an identical request; else runs `send`, whose recording, if there is one, is cached at
 * the end of a complete response (docs/reference/cache.md).
 */
export async function throughCache(
  deps: CacheDeps,
  request: CacheableRequest,
  send: (recording: Recording | undefined) => Promise<void>,
): Promise<void> {
  const { responseCache } = deps
  const cacheKey = responseCache.keyOf(request)
  if (!cacheKey) return send(undefined)
  const found = responseCache.find(cacheKey)
  if (found && (await replay(deps, request, found))) return
  request.context.head['x-switchyard-cache'] = 'miss'
  const recording = responseCache.recordingFor(cacheKey, request.call)
  try {
    await send(recording)
    // A stream is known to be complete only at its end.
    recording?.keep()
  } finally {
    recording?.drop()
  }
}

/**
 * Sends a cached response: charges its share of the price before the first byte, and contacts no channel
 * (docs/reference/cache.md#price-of-a-hit). Returns false, without doing anything, if the balance does not cover it.
 */
async function replay(
  deps: CacheDeps,
  cached: CacheableRequest,
  { bytes, head, isStream, usage, ageSeconds }: CachedAnswer,
): Promise<boolean> {
  const { context, plan, hold } = cached
  const ratio = deps.settings.get('ResponseCacheHitRatio')
  const extras = { ...plan.extras, cacheHit: { ratio, ageSeconds } }
  const request = { ...cached, plan: { ...plan, extras } }
  const charge = chargeRequest(deps, request, usage, 'complete', deps.clock.monotonic() - context.startedMs)
  if (charge.quota > hold.quota && !hold.extend(charge.quota - hold.quota)) return false
  const settled = hold.settle(charge)
  if (settled instanceof Promise) await settled
  reportSettled(deps, request, usage, charge.quota)
  const { response } = context
  if (response.destroyed) return true
  const length = isStream ? {} : { 'content-length': bytes.length }
  response.writeHead(200, { ...context.head, ...head, ...length, 'x-switchyard-cache': 'hit', age: String(ageSeconds) })
  if (isStream) await writeInSteps(response, bytes)
  else response.end(bytes)
  return true
}

/** Writes and ends a response, no faster than its caller reads; also resolves if the caller leaves. */
export async function writeInSteps(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += STEP_BYTES)
    if (!response.write(bytes.subarray(at, at + STEP_BYTES))) await drained(response)
  if (!response.destroyed) response.end()
}

/** Resolves once the caller has read everything, or has left. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.once('drain', goOn).once('close', goOn)
  })
