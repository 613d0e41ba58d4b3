import type { CreationOptions, NewPasskey, RequestOptions, ShownPasskey } from '../../../shared/api/passkey.ts'
import type { TextKey } from '../../i18n.ts'
import { fetchLater } from '../later.tsx'

/** A browser that gave no passkey; `key` says why. Quiet where somebody only did not go on. */
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

/** Whether passkeys can be used on this page: browsers want it encrypted or on this machine, and at a host name (docs/reference/accounts.md#passkeys). */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

const library = () => import('@simplewebauthn/browser')
if (canUsePasskeys()) fetchLater(library)

/** Has the browser make a passkey; throws `NoPasskey`. */
export async function makePasskey(options: CreationOptions, name: string): Promise<NewPasskey> {
  const { startRegistration } = await library()
  const { id, rawId, response } = await startRegistration({ optionsJSON: options }).catch(explained)
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports }, name }
}

/** Has the browser show a passkey of whoever is there; throws `NoPasskey`. */
export async function showPasskey(options: RequestOptions): Promise<ShownPasskey> {
  const { startAuthentication } = await library()
  const { id, rawId, response } = await startAuthentication({ optionsJSON: options }).catch(explained)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

/** The names of https://www.w3.org/TR/webauthn-3/#sctn-createCredential; a person who cancels and a time that is over are one. */
const reasons: Readonly<Record<string, TextKey>> = {
  InvalidStateError: 'passkey.hasOne',
  ConstraintError: 'passkey.unable',
  NotSupportedError: 'passkey.unable',
  SecurityError: 'passkey.place',
}

function explained(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : ''
  const isQuiet = name === 'NotAllowedError' || name === 'AbortError'
  throw new NoPasskey(isQuiet ? 'passkey.canceled' : (reasons[name] ?? 'passkey.bad'), isQuiet, cause)
}
