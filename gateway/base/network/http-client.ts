import { Agent, buildConnector, type Dispatcher, ProxyAgent, request, Socks5ProxyAgent } from 'undici'
import { Gathered } from '../bytes/gathered.ts'
import { refuse } from '../errors.ts'
import type { Connector } from './address-guard.ts'
import { limitInterim } from './interim-limit.ts'
import { guardedLookup, MetadataAddressRefused, metadataHost } from './metadata-address.ts'

export { metadataAddress } from './metadata-address.ts'

export type FetchRequest = Readonly<{
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** For the whole call, from connecting to the last byte. */
  timeoutMs: number
  maxBytes: number
  /** http, https, socks5 or socks5h URL; the system's proxy if empty or absent. */
  proxy?: string
}>
export type FetchAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; text: string }>

/**
 * Calls an address that an administrator has set: private addresses are allowed, metadata addresses never; redirects
 * are returned, not followed. Rejects with `timeout`, `upstream` (unreachable, response too long) or `invalid` (bad
 * address).
 */
export type FetchTrusted = (url: string, options: FetchRequest) => Promise<FetchAnswer>

/** HTTP client for the gateway's own calls, such as model lists and balances; relayed requests have their own pools. */
export interface HttpClient {
  readonly fetchTrusted: FetchTrusted
  close(): Promise<void>
}

/** An agent of undici that also limits interim responses, which undici does not. */
export const openAgent = (options: Agent.Options): Dispatcher => new Agent(options).compose(limitInterim)

/** A connector for undici that never connects to a metadata address, written or resolved. */
export function guardedConnector(connectTimeoutMs: number, allowH2 = false): Connector {
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup, allowH2 })
  return (options, callback) => {
    if (metadataHost(options.hostname))
      callback(new MetadataAddressRefused(`${options.hostname} may not be used`), null)
    else connect(options, callback)
  }
}

export function createHttpClient(connectTimeoutMs = 10_000, systemProxy: SystemProxy = () => ''): HttpClient {
  const direct = openAgent({ connect: guardedConnector(connectTimeoutMs), keepAliveTimeout: 5_000 })
  return {
    fetchTrusted: async (url, options) => {
      const target = targetOf(url)
      const proxy = options.proxy || (await systemProxy(target.origin))
      if (!proxy) return send(direct, target, options)
      const dispatcher = proxyDispatcher(proxy, connectTimeoutMs)
      try {
        return await send(dispatcher, target, options)
      } finally {
        await dispatcher.destroy()
      }
    },
    close: () => direct.close(),
  }
}

export const isProxyUrl = (proxy: string): boolean =>
  /^(https?|socks5h?):$/.test(URL.parse(proxy)?.protocol ?? '') && URL.parse(proxy)?.hostname !== ''

/**
 * Returns a dispatcher that uses a proxy, with the credentials in its URL if there are any. The proxy resolves names.
 * Throws a refusal if the URL is not a proxy's.
 */
export function proxyDispatcher(proxy: string, connectTimeoutMs: number): Dispatcher {
  const url = URL.parse(proxy)
  if (!url || !isProxyUrl(proxy) || metadataHost(url.hostname))
    throw refuse('invalid', 'input.invalid', { reason: 'proxy' })
  if (url.protocol.startsWith('http'))
    return new ProxyAgent({
      uri: proxy,
      connectTimeout: connectTimeoutMs,
      proxyTls: { lookup: guardedLookup },
    }).compose(limitInterim)
  const connect = guardedConnector(connectTimeoutMs)
  return new Socks5ProxyAgent(proxy.replace(/^socks5h:/i, 'socks5:'), {
    connectTimeout: connectTimeoutMs,
    connect,
  }).compose(limitInterim)
}

function targetOf(url: string): URL {
  const target = URL.parse(url)
  const usable = target && /^https?:$/.test(target.protocol) && !metadataHost(target.hostname)
  if (!usable) throw refuse('invalid', 'input.invalid', { reason: 'address' })
  return target
}

async function send(dispatcher: Dispatcher, target: URL, options: FetchRequest): Promise<FetchAnswer> {
  try {
    const { statusCode, headers, body } = await request(target, {
      dispatcher,
      method: options.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...options.headers },
      body: options.body ?? null,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    return { status: statusCode, headers: joined(headers), text: await readText(body, options.maxBytes) }
  } catch (cause) {
    throw refusalFor(cause)
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const gathered = new Gathered()
  for await (const chunk of body) {
    gathered.add(chunk)
    if (gathered.size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
  }
  return gathered.take().toString('utf8')
}

const joined = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

function refusalFor(cause: unknown) {
  if (cause instanceof MetadataAddressRefused)
    return refuse('invalid', 'input.invalid', { reason: 'address' }, { cause })
  const name = cause instanceof Error ? cause.name : ''
  if (/Timeout/.test(name)) return refuse('timeout', 'relay.upstreamTimeout', {}, { cause })
  return refuse('upstream', 'relay.upstreamFailed', {}, { cause })
}

/**
 * Returns the URL of the system's proxy for an origin, or an empty string if there is none. A desktop queries the
 * operating system, which may take a moment; a server reads its environment.
 */
export type SystemProxy = (origin: string) => string | Promise<string>
