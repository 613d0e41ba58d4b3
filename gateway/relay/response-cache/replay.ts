import type { ServerResponse } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import type { Hold } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import { chargeRequest, reportSettled } from '../metering/charge.ts'
import type { SettledCalls } from '../metering/settled-calls.ts'
import type { CachedAnswer, CacheLookup } from './response-cache.ts'

export type ReplayDeps = Readonly<{ clock: Clock; settings: Pick<Settings, 'get'>; settled: SettledCalls }>

/** Chunk size of a cached stream: about what a caller reads at once. */
const STEP_BYTES = 16 * 1024

/**
 * Sends a cached response: charges its share of the price before the first byte, and contacts no channel
 * (docs/reference/cache.md#price-of-a-hit). Returns false, without doing anything, if the balance does not cover it.
 */
export async function replay(
  deps: ReplayDeps,
  { hold, ...hit }: CacheLookup & Readonly<{ hold: Hold; isKept: boolean }>,
  { bytes, head, isStream, usage, ageSeconds }: CachedAnswer,
): Promise<boolean> {
  const { context, plan } = hit
  const ratio = deps.settings.get('ResponseCacheHitRatio')
  const extras = { ...plan.extras, cacheHit: { ratio, ageSeconds } }
  const nobody = { attempts: [], skipped: [], channelId: 0, upstreamModel: '' }
  const request = { ...hit, ...nobody, plan: { ...plan, extras } }
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
