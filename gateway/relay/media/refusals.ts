import { GatewayError, refuse } from '../../base/errors.ts'
import { AddressRefused } from '../../base/network/address-guard.ts'
import { BadRedirect, BadStatus, TooLong } from './download.ts'

const CODE = 'invalid_image_url'
const MIB = 1024 * 1024

/**
 * Refusals for files, shown to the caller with the host that the caller named: they never reveal what a name resolved
 * to, where a redirect led, or what a server returned other than its status and the type of the file.
 */
export const mediaRefusals = {
  /** The text is not an absolute http(s) URL, or contains credentials. */
  url: (): GatewayError => refuse('invalid', 'relay.mediaUrl', {}, { code: CODE }),
  address: (host: string, cause?: unknown): GatewayError =>
    refuse('invalid', 'relay.mediaAddress', { host }, { code: CODE, cause }),
  /** The worker is only used for https URLs, unless `WorkerAllowHttpImageRequestEnabled` is set. */
  https: (): GatewayError => refuse('invalid', 'relay.mediaHttps', {}, { code: CODE }),
  status: (host: string, status: number): GatewayError =>
    refuse('invalid', 'relay.mediaStatus', { host, status }, { code: CODE }),
  failed: (host: string, cause: unknown): GatewayError =>
    refuse('invalid', 'relay.mediaFailed', { host }, { code: CODE, cause }),
  timeout: (host: string, ms: number): GatewayError =>
    refuse('invalid', 'relay.mediaTimeout', { host, seconds: Math.ceil(ms / 1000) }, { code: CODE }),
  tooLarge: (host: string, bytes: number): GatewayError =>
    refuse('invalid', 'relay.mediaTooLarge', { host, limit: `${bytes / MIB} MiB` }, { code: CODE }),
  type: (host: string, type: string): GatewayError =>
    refuse('invalid', 'relay.mediaType', { host, type }, { code: CODE }),
  /** One request names too many files, or too many bytes in total. */
  tooMany: (count: number): GatewayError => refuse('invalid', 'relay.mediaTooMany', { count }, { code: CODE }),
  tooMuch: (bytes: number): GatewayError =>
    refuse('invalid', 'relay.mediaTooMuch', { limit: `${bytes / MIB} MiB` }, { code: CODE }),
  busy: (): GatewayError => refuse('unavailable', 'relay.overloaded'),
}

export function refusalFor(cause: unknown, host: string, maxBytes: number): GatewayError {
  if (cause instanceof GatewayError) return cause
  if (cause instanceof AddressRefused || cause instanceof BadRedirect) return mediaRefusals.address(host, cause)
  if (cause instanceof BadStatus) return mediaRefusals.status(host, cause.status)
  if (cause instanceof TooLong) return mediaRefusals.tooLarge(host, maxBytes)
  return mediaRefusals.failed(host, cause)
}
