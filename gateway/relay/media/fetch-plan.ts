import type { Dispatcher } from 'undici'
import {
  type AddressRule,
  addressRule,
  isRefusedUrl,
  publicConnector,
  type Resolve,
} from '../../base/network/address-guard.ts'
import { guardedConnector, openAgent } from '../../base/network/http-client.ts'
import type { Settings } from '../../settings/settings.ts'
import type { FetchPlan } from './download.ts'
import { mediaRefusals } from './refusals.ts'

type FetchPlannerDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  userAgent: string
  isAllowed: AddressRule
  resolve: Resolve
  connectMs: number
  redirects: number
}>

/** Plans how files are requested: from their servers, or through the operator's worker if one is set. */
interface FetchPlanner {
  /** Throws for URLs that the worker may not request. For direct requests, addresses are checked on connecting. */
  to(url: URL): FetchPlan
  close(): Promise<void>
}

/**
 * Uses two sets of connections. Servers named by callers are connected only at public addresses and those that
 * `isAllowed` accepts. The worker's URL is set by an administrator and may be private; its redirects are not followed.
 */
export function createFetchPlanner({
  settings,
  userAgent,
  isAllowed,
  resolve,
  connectMs,
  redirects,
}: FetchPlannerDeps): FetchPlanner {
  const rule = addressRule(isAllowed)
  const untrusted = openAgent({ connect: publicConnector(rule, resolve, connectMs), allowH2: false })
  const trusted = openAgent({ connect: guardedConnector(connectMs), allowH2: false })
  return {
    to(url) {
      const worker = settings.get('WorkerUrl')
      if (worker === '') return direct(url, untrusted, userAgent, redirects)
      if (url.protocol !== 'https:' && !settings.get('WorkerAllowHttpImageRequestEnabled')) throw mediaRefusals.https()
      if (isRefusedUrl(url, rule)) throw mediaRefusals.address(url.host)
      return throughWorker(url, worker, settings.get('WorkerValidKey'), trusted, userAgent)
    },
    async close() {
      await Promise.all([untrusted.destroy(), trusted.destroy()])
    },
  }
}

const direct = (url: URL, dispatcher: Dispatcher, userAgent: string, redirects: number): FetchPlan => ({
  start: url,
  dispatcher,
  method: 'GET',
  headers: { 'user-agent': userAgent },
  body: null,
  redirects,
})

/**
 * The worker's contract: it receives the URL and the key as JSON and returns the file as the body
 * (docs/reference/limits.md#files-named-by-url).
 */
const throughWorker = (
  url: URL,
  worker: string,
  key: string,
  dispatcher: Dispatcher,
  userAgent: string,
): FetchPlan => ({
  start: new URL(worker.endsWith('/') ? worker : `${worker}/`),
  dispatcher,
  method: 'POST',
  headers: { 'user-agent': userAgent, 'content-type': 'application/json' },
  body: JSON.stringify({ url: url.href, key }),
  redirects: 0,
})
