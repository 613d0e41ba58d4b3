import { LRUCache } from 'lru-cache'
import type { Clock } from '../gateway/base/clock.ts'
import { lruLife, upTo } from '../gateway/base/lru.ts'
import { isReachedDirectly, type SystemProxy } from '../gateway/base/system-proxy.ts'

const MAX_ORIGINS = 500
/** A network that changes is noticed after so long. */
const LIFE_MS = 30_000
/** A script that says which proxy to take is fetched from the network itself. */
const WAIT_MS = 5000

/**
 * What the system is set to, asked of Chromium: `resolve` answers as proxy scripts do (`PROXY host:port; DIRECT`). Who says
 * nothing in time says that there is none.
 */
export function createSystemProxy(
  resolve: (url: string) => Promise<string>,
  clock: Pick<Clock, 'monotonic'>,
): SystemProxy {
  const life = lruLife(LIFE_MS, () => clock.monotonic())
  const known = new LRUCache<string, Promise<string>>({ ...upTo(MAX_ORIGINS), ...life })
  return (origin) => {
    if (isReachedDirectly(origin)) return ''
    const asked = known.get(origin) ?? Promise.race([resolve(origin), silence()]).then(firstProxy, () => '')
    if (!known.has(origin)) known.set(origin, asked)
    return asked
  }
}

const silence = () => new Promise<string>((resolve) => setTimeout(resolve, WAIT_MS, 'DIRECT').unref())

const schemes: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
}

/** The first way that the gateway can go; empty for the direct one. */
export function firstProxy(answer: string): string {
  for (const way of answer.split(';')) {
    const [kind = '', place = ''] = way.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return ''
    const scheme = schemes[kind.toUpperCase()]
    if (scheme && place) return `${scheme}://${place}`
  }
  return ''
}
