import type { Context } from 'koa'
import { isNearAddress } from '../../../shared/near-address.ts'
import { clientAddress, isLoopback, networkOf, type Ranges } from '../../limits/client-address.ts'

/** The origin of a request, as far as it is trustworthy. */
export type RequestOrigin = Readonly<{
  ip: string
  /** The key by which rate limits are counted. */
  network: string
  /** This machine itself: a loopback peer, a loopback Host, and no sign of a proxy in between. */
  loopback: boolean
  /** Encrypted between the browser and this gateway or its trusted proxy. */
  secure: boolean
}>

const PROXY_SIGN = /^(x-forwarded|(x-real-ip|forwarded|via)$)/
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Reads the origin of a request. An untrusted proxy on the same machine must not lend its loopback address to remote
 * callers, so any proxy header removes the loopback privilege (docs/reference/security.md#forwarded-addresses).
 */
export function originOf(ctx: Context, isTrusted: Ranges): RequestOrigin {
  const { socket, headers } = ctx.req
  const peer = socket.remoteAddress ?? ''
  const ip = clientAddress(peer, ctx.get('x-forwarded-for') || undefined, isTrusted)
  const isDirect = !Object.keys(headers).some((name) => PROXY_SIGN.test(name))
  return {
    ip,
    network: networkOf(ip),
    loopback: isDirect && isLoopback(ip) && LOOPBACK_HOST.test(headers.host ?? ''),
    secure: isSecure(ctx, isTrusted),
  }
}

/**
 * The address of a call if others can open it: encrypted, with a Host that passed the allow-list and is not loopback
 * (docs/reference/share.md#addresses-in-links). Undefined for every other call.
 */
export function addressOf({ secure, host }: Readonly<{ secure: boolean; host: string }>): string | undefined {
  const address = `https://${host.toLowerCase()}`
  return secure && URL.canParse(address) && !isNearAddress(address) ? new URL(address).origin : undefined
}

/** Whether a request was encrypted up to this gateway or a trusted proxy before it. */
export function isSecure(ctx: Context, isTrusted: Ranges): boolean {
  const { socket } = ctx.req
  if ('encrypted' in socket) return true
  return isTrusted(socket.remoteAddress ?? '') && ctx.get('x-forwarded-proto').split(',')[0]?.trim() === 'https'
}
