import { GatewayError, refuse } from '../../base/errors.ts'
import { AddressRefused } from '../../base/network/address-guard.ts'
import { BadRedirect, BadStatus, TooLong } from './download.ts'

const CODE = 'invalid_image_url'
const MIB = 1024 * 1024

/**
 * Why a file could not be had, told to the caller with the host they named themselves: nothing here says what a name
 * resolved to, where a redirect led, or what a server answered beyond its status.
 */
export const mediaRefusals = {
  /** The text is no complete http(s) URL, or has a user name in it. */
  url: (): GatewayError => refuse('invalid', 'relay.mediaUrl', {}, { code: CODE }),
  /** The address, or one it redirects to, is not public. */
  address: (host: string, cause?: unknown): GatewayError =>
    refuse('invalid', 'relay.mediaAddress', { host }, { code: CODE, cause }),
  /** Only https addresses go through the worker. */
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
  /** One request names too many files, or too large ones together. */
  tooMany: (count: number): GatewayError => refuse('invalid', 'relay.mediaTooMany', { count }, { code: CODE }),
  tooMuch: (bytes: number): GatewayError =>
    refuse('invalid', 'relay.mediaTooMuch', { limit: `${bytes / MIB} MiB` }, { code: CODE }),
  /** Too many files are being fetched. */
  busy: (): GatewayError => refuse('unavailable', 'relay.overloaded'),
}

/** The refusal for whatever ended a download. */
export function refusalFor(cause: unknown, host: string, maxBytes: number): GatewayError {
  if (cause instanceof GatewayError) return cause
  if (cause instanceof AddressRefused || cause instanceof BadRedirect) return mediaRefusals.address(host, cause)
  if (cause instanceof BadStatus) return mediaRefusals.status(host, cause.status)
  if (cause instanceof TooLong) return mediaRefusals.tooLarge(host, maxBytes)
  return mediaRefusals.failed(host, cause)
}
