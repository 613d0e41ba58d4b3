import { LRUCache } from 'lru-cache'
import type { Clock } from '../gateway/base/clock.ts'
import { lruLife, upTo } from '../gateway/base/lru.ts'
import type { SystemProxy } from '../gateway/base/network/http-client.ts'
import { isReachedDirectly } from '../gateway/base/network/system-proxy.ts'

const MAX_ORIGINS = 500
/** How long a result is cached; a network change takes effect after this time at the latest. */
const LIFE_MS = 30_000
/** Milliseconds to wait for a result; a proxy script is itself fetched over the network. */
const WAIT_MS = 5000

/**
 * The system's proxy, as resolved by Chromium: `resolve` returns the format of proxy scripts (`PROXY host:port;
 * DIRECT`). A timeout or a failure means a direct connection.
 */
export function createSystemProxy(
  resolve: (url: string) => Promise<string>,
  clock: Pick<Clock, 'monotonic'>,
): SystemProxy {
  const life = lruLife(LIFE_MS, () => clock.monotonic())
  const known = new LRUCache<string, Promise<string>>({ ...upTo(MAX_ORIGINS), ...life })
  return (origin) => {
    if (isReachedDirectly(origin)) return ''
    const pending = known.get(origin) ?? Promise.race([resolve(origin), timeout()]).then(firstProxy, () => '')
    if (!known.has(origin)) known.set(origin, pending)
    return pending
  }
}

const timeout = () => new Promise<string>((resolve) => setTimeout(resolve, WAIT_MS, 'DIRECT').unref())

const schemes: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
}

/** The first supported proxy; empty if a direct connection comes first, or if no proxy is supported. */
export function firstProxy(answer: string): string {
  for (const entry of answer.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return ''
    const scheme = schemes[kind.toUpperCase()]
    if (scheme && address) return `${scheme}://${address}`
  }
  return ''
}
