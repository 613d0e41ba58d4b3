import type { ProxyCode, ProxyVerdict } from '../../../shared/api/channel-runs.ts'
import { channelTypeNameById } from '../../../shared/channel-types.ts'
import { isMask, maskOf } from '../../../shared/secret-mask.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { type FetchTrusted, isProxyUrl } from '../../base/network/http-client.ts'
import { guardedLookup, MetadataAddressRefused, metadataHost } from '../../base/network/metadata-address.ts'
import { addressFrom } from '../admin/field-rules.ts'
import { baseUrlOf } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { unsavedChannel } from './dry-run.ts'
import type { ChatAddress } from './probe.ts'

/**
 * A proxy, and the type and address of the channel to call through it (the type's default if empty). `id` is the
 * channel whose stored proxy a masked password refers to.
 */
type ProxyRequest = Readonly<{ proxy: string; type: number; base_url: string; id?: number | undefined }>

/**
 * Tests whether an upstream can be reached through a proxy (docs/reference/channel-types.md#common-rules): any HTTP
 * response of the upstream is sufficient. Sends no key and never returns the proxy's password. Throws for addresses
 * that must not be called.
 */
export type VerifyProxy = (request: ProxyRequest) => Promise<ProxyVerdict>

type VerifyProxyDeps = Readonly<{
  fetchTrusted: FetchTrusted
  chatAddress: ChatAddress
  registry: ChannelRegistry
}>

const TIMEOUT_MS = 15_000
/** Max bytes of the response: any response is sufficient, so a long page is allowed. */
const MAX_BYTES = 16 * 1024 * 1024

/** Calls as the relay would, on a separate connection that is closed afterwards; within 15 seconds. */
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
      return verdict(codeOfFailure(chainOf(error), hostAndPortOf(url)), took())
    }
  }

/** Returns the stored proxy for its masked form; a password is never used with another proxy. */
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

/** The address a channel would call; for vendors whose address depends on the key, the one for an empty key. */
function addressOf(chatAddress: ChatAddress, type: number, own: string): string {
  const base = baseUrlOf(type, addressFrom(own))
  const name = channelTypeNameById(type)
  const address = base || (name && chatAddress(unsavedChannel({ type, other: '', key: '' }, ''), '')) || ''
  if (!URL.canParse(address)) throw refuse('invalid', 'input.invalid', { reason: 'base_url: required' })
  return base || new URL(address).origin
}

async function refuseMetadata(proxy: string): Promise<void> {
  const { hostname } = new URL(proxy)
  const leadsThere = new Promise<boolean>((resolve) => {
    const name = hostname.replace(/^\[|\]$/g, '')
    guardedLookup(name, { all: true }, (error) => resolve(error instanceof MetadataAddressRefused))
  })
  if (metadataHost(hostname) || (await leadsThere)) throw refuse('invalid', 'input.invalid', { reason: 'proxy' })
}

/** An HTTP proxy forwards plain HTTP; everything else is tunneled. */
const isForwarded = (proxy: string, url: string): boolean => /^https?:/i.test(proxy) && /^http:/i.test(url)

/** Statuses a forwarding proxy sends itself: the upstream does not respond (RFC 9110 §15.6.3-5). */
const codeOfForwarded = (status: number): ProxyCode =>
  [502, 503, 504].includes(status) ? 'upstream_unreachable' : 'ok'

function hostAndPortOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  const defaultPort = protocol === 'https:' ? '443' : '80'
  return `${hostname}:${port || defaultPort}`
}

function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  return [error, ...chainOf(error.cause)]
}

/** undici's messages for a proxy that requires authentication, and for one that rejects a tunnel. */
const UNKNOWN_USER = /Proxy Authentication Required/
const NO_TUNNEL = /Proxy response \((\d+)\)/

/**
 * Determines which side failed. All connections are to the proxy, so a failed one is the proxy's fault, unless it is
 * the proxy's connection to the `upstream` (host and port).
 */
function codeOfFailure(errors: readonly Error[], upstream: string): ProxyCode {
  const messages = errors.map(({ message }) => message).join('\n')
  if (messages.includes(`attempted address: ${upstream},`)) return 'upstream_unreachable'
  const codes = errors.flatMap((error) => ['code' in error ? String(error.code) : '', error.name])
  if (UNKNOWN_USER.test(messages)) return 'proxy_refused'
  const tunnel = NO_TUNNEL.exec(messages)
  if (tunnel) return codeOfTunnel(Number(tunnel[1]))
  for (const [pattern, code] of byErrorCode) if (codes.some((one) => pattern.test(one))) return code
  return errors.some(({ name }) => name.includes('Timeout')) ? 'timeout' : 'upstream_unreachable'
}

/** A web server that is not a proxy does not support CONNECT. */
function codeOfTunnel(status: number): ProxyCode {
  if (status === 401 || status === 403 || status === 407) return 'proxy_refused'
  return status >= 500 && status !== 501 ? 'upstream_unreachable' : 'not_a_proxy'
}

/** SOCKS replies (RFC 1928 §6): 2 is the proxy's own rule, the others are about the upstream. */
const byErrorCode: readonly (readonly [RegExp, ProxyCode])[] = [
  [/^UND_ERR_SOCKS5_(AUTH_(REJECTED|FAILED|METHOD)|REPLY_2)$/, 'proxy_refused'],
  [/^UND_ERR_SOCKS5_REPLY_\d/, 'upstream_unreachable'],
  [/^UND_ERR_SOCKS5|^HTTPParserError$|^UND_ERR_PRX_CONN$/, 'not_a_proxy'],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX_TLS)$/,
    'proxy_unreachable',
  ],
]
