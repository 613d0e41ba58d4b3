import type { ServerResponse } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import type { Hold } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import { chargeRequest, reportSettled } from '../metering/charge.ts'
import type { SettledCalls } from '../metering/settled-calls.ts'
import type { CacheAsk, CachedAnswer } from './response-cache.ts'

export type ReplayDeps = Readonly<{ clock: Clock; settings: Pick<Settings, 'get'>; settled: SettledCalls }>

/** The steps in which a stream is given again: as much at once as a caller is likely to take. */
const STEP_BYTES = 16 * 1024

/**
 * Gives an answer again: charged by its share of the price before its first byte goes out, without any channel
 * (docs/reference/cache.md#price-of-a-hit). False, with nothing done, where what is left does not pay for it.
 */
export async function replay(
  deps: ReplayDeps,
  { hold, ...ask }: CacheAsk & Readonly<{ hold: Hold; isKept: boolean }>,
  { bytes, head, isStream, usage, ageSeconds }: CachedAnswer,
): Promise<boolean> {
  const { context, plan } = ask
  const ratio = deps.settings.get('ResponseCacheHitRatio')
  const extras = { ...plan.extras, cacheHit: { ratio, ageSeconds } }
  const nobody = { attempts: [], skipped: [], channelId: 0, upstreamModel: '' }
  const request = { ...ask, ...nobody, plan: { ...plan, extras } }
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

/** Writes and ends an answer, no faster than its caller takes it; resolves also where that leaves. */
export async function writeInSteps(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += STEP_BYTES)
    if (!response.write(bytes.subarray(at, at + STEP_BYTES))) await drained(response)
  if (!response.destroyed) response.end()
}

/** Until the caller has read what there is, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.once('drain', goOn).once('close', goOn)
  })
