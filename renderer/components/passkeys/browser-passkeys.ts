import type { CreationOptions, NewPasskey, RequestOptions, ShownPasskey } from '../../../shared/api/passkey.ts'
import type { TextKey } from '../../i18n.ts'
import { fetchLater } from '../later.tsx'

/** The browser returned no passkey; `key` is the reason. `isQuiet` if the user simply did not continue. */
export class NoPasskey extends Error {
  override readonly name = 'NoPasskey'
  readonly key: TextKey
  readonly isQuiet: boolean

  constructor(key: TextKey, isQuiet: boolean, cause: unknown) {
    super(key, { cause })
    this.key = key
    this.isQuiet = isQuiet
  }
}

/**
 * Whether passkeys work on this page: browsers require a secure context and a host name
 * (docs/reference/accounts.md#passkeys).
 */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

const loadLibrary = () => import('@simplewebauthn/browser')
if (canUsePasskeys()) fetchLater(loadLibrary)

/** Creates a passkey in the browser; throws `NoPasskey`. */
export async function makePasskey(options: CreationOptions, name: string): Promise<NewPasskey> {
  const { startRegistration } = await loadLibrary()
  const { id, rawId, response } = await startRegistration({ optionsJSON: options }).catch(throwNoPasskey)
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports }, name }
}

/** Gets a passkey assertion from the browser; throws `NoPasskey`. */
export async function showPasskey(options: RequestOptions): Promise<ShownPasskey> {
  const { startAuthentication } = await loadLibrary()
  const { id, rawId, response } = await startAuthentication({ optionsJSON: options }).catch(throwNoPasskey)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

/**
 * Texts by DOMException name (https://www.w3.org/TR/webauthn-3/#sctn-createCredential). `NotAllowedError`, which is for
 * cancellation and timeout, is handled separately.
 */
const reasons: Readonly<Record<string, TextKey>> = {
  InvalidStateError: 'passkey.hasOne',
  ConstraintError: 'passkey.unable',
  NotSupportedError: 'passkey.unable',
  SecurityError: 'passkey.place',
}

function throwNoPasskey(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : ''
  const isQuiet = name === 'NotAllowedError' || name === 'AbortError'
  throw new NoPasskey(isQuiet ? 'passkey.canceled' : (reasons[name] ?? 'passkey.bad'), isQuiet, cause)
}
