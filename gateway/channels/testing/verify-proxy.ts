import type { ProxyCode, ProxyVerdict } from '../../../shared/api/channel-runs.ts'
import { channelTypeNameById } from '../../../shared/channel-types.ts'
import { isMask, maskOf } from '../../../shared/secret-mask.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { type FetchTrusted, isProxyUrl } from '../../base/http-client.ts'
import { guardedLookup, MetadataAddressRefused, metadataHost } from '../../base/metadata-address.ts'
import { addressFrom } from '../admin/field-rules.ts'
import { baseUrlOf } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { unsavedChannel } from './dry-run.ts'
import type { ChatAddress } from './probe.ts'

/** An outbound proxy, and whom a channel of this type would ask through it; without an address of its own, its type's. `id` is the channel whose proxy is meant where its password is masked. */
type ProxyAsk = Readonly<{ proxy: string; type: number; base_url: string; id?: number | undefined }>

/**
 * Finds out whether an upstream can be reached through a proxy
 * (docs/reference/channel-types.md#what-all-have-in-common): any HTTP answer of the upstream counts. No key is sent,
 * and the proxy's password never comes back. Refuses addresses nobody may call.
 */
export type VerifyProxy = (ask: ProxyAsk) => Promise<ProxyVerdict>

type VerifyProxyDeps = Readonly<{
  fetchTrusted: FetchTrusted
  chatAddress: ChatAddress
  registry: ChannelRegistry
}>

const TIMEOUT_MS = 15_000
/** Whatever the upstream says counts, a long page as well. */
const MAX_BYTES = 16 * 1024 * 1024

/** Asks as the relay would, through a connection of its own that is closed afterwards; within 15 seconds. */
export const createVerifyProxy =
  ({ fetchTrusted, chatAddress, registry }: VerifyProxyDeps): VerifyProxy =>
  async ({ proxy: text, type, base_url, id }) => {
    const proxy = withPassword(text.trim(), (id !== undefined && registry.channel(id)?.setting.proxy) || '')
    if (!isProxyUrl(proxy)) return verdict('not_a_proxy', 0)
    const url = addressOf(chatAddress, type, base_url)
    await refuseMetadata(proxy)
    const started = performance.now()
    const took = () => performance.now() - started
    try {
      const { status } = await fetchTrusted(url, { proxy, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
      return verdict(isForwarded(proxy, url) ? codeOfForwarded(status) : 'ok', took(), status)
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'invalid') throw error
      return verdict(codeOfFailure(chainOf(error), placeOf(url)), took())
    }
  }

/** The stored proxy for its masked form; a password never goes to another one. */
function withPassword(proxy: string, stored: string): string {
  if (!isMask(proxy)) return proxy
  if (maskOf(stored, false) === proxy) return stored
  throw refuse('invalid', 'channel.secret_again', { field: 'proxy' })
}

const verdict = (code: ProxyCode, ms: number, status = 0): ProxyVerdict => ({
  ok: code === 'ok',
  ms: Math.round(ms),
  code,
  message: status === 0 ? '' : `HTTP ${status}`,
})

/** Where a channel would ask; vendors whose address follows from the key are asked at the one of an empty key. */
function addressOf(chatAddress: ChatAddress, type: number, own: string): string {
  const base = baseUrlOf(type, addressFrom(own))
  const name = channelTypeNameById(type)
  const address = base || (name && chatAddress(unsavedChannel({ type, other: '', key: '' }, ''), '')) || ''
  if (!URL.canParse(address)) throw refuse('invalid', 'input.invalid', { reason: 'base_url: required' })
  return base || new URL(address).origin
}

/** A proxy whose name leads to a metadata service is refused as an address of one is. */
async function refuseMetadata(proxy: string): Promise<void> {
  const { hostname } = new URL(proxy)
  const leadsThere = new Promise<boolean>((resolve) => {
    const name = hostname.replace(/^\[|\]$/g, '')
    guardedLookup(name, { all: true }, (error) => resolve(error instanceof MetadataAddressRefused))
  })
  if (metadataHost(hostname) || (await leadsThere)) throw refuse('invalid', 'input.invalid', { reason: 'proxy' })
}

/** Plain HTTP is handed on by an HTTP proxy; all else goes through a tunnel. */
const isForwarded = (proxy: string, url: string): boolean => /^https?:/i.test(proxy) && /^http:/i.test(url)

/** What a proxy says itself when it hands on: that the place behind it does not answer (RFC 9110 §15.6.3-5). */
const codeOfForwarded = (status: number): ProxyCode =>
  [502, 503, 504].includes(status) ? 'upstream_unreachable' : 'ok'

function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? '443' : '80'
  return `${hostname}:${port || usual}`
}

/** An error and what caused it, the innermost last. */
function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  return [error, ...chainOf(error.cause)]
}

/** undici's words for a proxy that wants to know who asks, and for one that answers a request for a tunnel otherwise. */
const UNKNOWN_USER = /Proxy Authentication Required/
const NO_TUNNEL = /Proxy response \((\d+)\)/

/**
 * Which side failed. All connections are made to the proxy, so one that cannot be made is the proxy's fault, unless it is
 * the one that the proxy was to make, to the `upstream`, a host and port.
 */
function codeOfFailure(errors: readonly Error[], upstream: string): ProxyCode {
  const said = errors.map(({ message }) => message).join('\n')
  if (said.includes(`attempted address: ${upstream},`)) return 'upstream_unreachable'
  const codes = errors.flatMap((error) => ['code' in error ? String(error.code) : '', error.name])
  if (UNKNOWN_USER.test(said)) return 'proxy_refused'
  const tunnel = NO_TUNNEL.exec(said)
  if (tunnel) return codeOfTunnel(Number(tunnel[1]))
  for (const [pattern, code] of byErrorCode) if (codes.some((one) => pattern.test(one))) return code
  return errors.some(({ name }) => name.includes('Timeout')) ? 'timeout' : 'upstream_unreachable'
}

/** A web server that is no proxy knows no CONNECT. */
function codeOfTunnel(status: number): ProxyCode {
  if (status === 401 || status === 403 || status === 407) return 'proxy_refused'
  return status >= 500 && status !== 501 ? 'upstream_unreachable' : 'not_a_proxy'
}

/** SOCKS replies (RFC 1928 §6): 2 is the proxy's own rule, the others tell of the place behind it. */
const byErrorCode: readonly (readonly [RegExp, ProxyCode])[] = [
  [/^UND_ERR_SOCKS5_(AUTH_(REJECTED|FAILED|METHOD)|REPLY_2)$/, 'proxy_refused'],
  [/^UND_ERR_SOCKS5_REPLY_\d/, 'upstream_unreachable'],
  [/^UND_ERR_SOCKS5|^HTTPParserError$|^UND_ERR_PRX_CONN$/, 'not_a_proxy'],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX_TLS)$/,
    'proxy_unreachable',
  ],
]
