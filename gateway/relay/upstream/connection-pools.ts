import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { upTo } from '../../base/lru.ts'
import type { SystemProxy } from '../../base/network/http-client.ts'
import { guardedConnector, proxyDispatcher } from '../../base/network/http-client.ts'

/** Connection pools by origin and proxy, kept warm; above a limit, the least recently used is closed. */
export interface Pools {
  for(origin: string, proxy: string): Dispatcher | Promise<Dispatcher>
  proxyFor(origin: string, proxy: string): string | Promise<string>
  /** The parts of a URL that a call needs; null for an invalid URL. Cached, since the same few recur. */
  urlParts(address: string): UrlParts | null
  /** Default timeouts, in milliseconds. */
  readonly waits: CallWaits
  /**
   * The timeouts of a call: reasoning models (`o1`, `o3` and similar) may be silent for twice as long, and the headers
   * of a response that is not a stream may take five times as long (docs/reference/streams.md#time-outs).
   */
  waitsFor(model: string, isStream: boolean): CallWaits
  /** Uses new connections from now on; old ones are closed once their calls end. */
  renew(): void
  close(): Promise<void>
}

type UrlParts = Readonly<{ origin: string; path: string }>

/** Timeouts in milliseconds, for the response headers and for silence in the body. */
type CallWaits = Readonly<{ headersTimeout: number; bodyTimeout: number }>

/** Seconds, from the process configuration. */
type Waits = Readonly<{ connect: number; headers: number; idle: number }>

const MAX_POOLS = 256
const MAX_CACHED = 2000
/** Max characters of an address that is cached; addresses contain names that callers choose. */
const MAX_KEPT_LENGTH = 2048
const KEEP_ALIVE_MS = 60_000
const REASONS = /^o\d/
/** Factor of the header timeout for a response that is not a stream: vendors send its headers after the work. */
const WHOLE_FACTOR = 5

/** Creates pools without a connection cap, which would queue long streams behind each other, and without redirects. */
export function createPools({ connect, headers, idle }: Waits, systemProxy: SystemProxy): Pools {
  const pools = new LRUCache<string, Dispatcher>({
    ...upTo(MAX_POOLS),
    dispose: (pool, _, reason) => {
      if (reason === 'evict') void pool.close()
    },
  })
  const cache = new LRUCache<string, UrlParts>({ ...upTo(MAX_CACHED) })
  const connectMs = connect * 1000
  const waits: CallWaits = { headersTimeout: headers * 1000, bodyTimeout: idle * 1000 }
  const open = (origin: string, proxy: string): Dispatcher =>
    proxy
      ? proxyDispatcher(proxy, connectMs)
      : new Pool(origin, {
          pipelining: 1,
          keepAliveTimeout: KEEP_ALIVE_MS,
          connect: guardedConnector(connectMs),
          allowH2: false,
        })
  const poolFor = (origin: string, proxy: string): Dispatcher => {
    const name = proxy === '' ? origin : `${origin} ${proxy}`
    const known = pools.get(name)
    if (known) return known
    const pool = open(origin, proxy)
    pools.set(name, pool)
    return pool
  }
  const proxyFor = (origin: string, proxy: string) => proxy || systemProxy(origin)
  return {
    waits,
    waitsFor: (model, isStream) => ({
      headersTimeout: waits.headersTimeout * (isStream ? 1 : WHOLE_FACTOR),
      bodyTimeout: waits.bodyTimeout * (REASONS.test(model) ? 2 : 1),
    }),
    proxyFor,
    for(origin, proxy) {
      const taken = proxyFor(origin, proxy)
      return typeof taken === 'string' ? poolFor(origin, taken) : taken.then((found) => poolFor(origin, found))
    },
    urlParts(address) {
      const known = cache.get(address)
      if (known) return known
      const url = URL.parse(address)
      if (!url) return null
      const urlParts = { origin: url.origin, path: url.pathname + url.search }
      if (address.length <= MAX_KEPT_LENGTH) cache.set(address, urlParts)
      return urlParts
    },
    renew() {
      for (const pool of pools.values()) void pool.close().catch(() => {})
      pools.clear()
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}
