import type { OptionKey } from '../../../shared/options/index.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { TokenCheck } from '../login/human-check.ts'
import type { OptionChange } from './root-guard.ts'

export type Proof = Readonly<{
  /** A Turnstile token that the caller's browser obtained with the new site key. */
  turnstile: string | undefined
  ip: string
  /** Whether this call would still be accepted if ServerAddress were the given value. */
  isAnsweredAt: (serverAddress: string) => boolean
  host: string
  hasFactors: () => Promise<boolean>
}>

/** Throws if the changes together could lock everyone out, unless the call proves that they work. */
export type LockoutGuard = (changes: readonly OptionChange[], proof: Proof) => Promise<void>

/** Options that share a proof, so their changes are checked together. No other option needs one. */
export const provenTogether: readonly (readonly OptionKey[])[] = [
  ['ServerAddress'],
  ['TwoFactorRequiredRole'],
  ['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'],
]

type LockoutGuardDeps = Readonly<{ settings: Pick<Settings, 'get'>; holds: TokenCheck }>

/**
 * Options that could lock out the last administrator need a proof before they are saved. Turning on the human check, or
 * changing one of its keys while it is on, needs a token valid for the new keys; changing the server address needs a
 * call that would still be accepted; requiring second factors needs a caller who has one. Whether a login method
 * remains is checked in `root-guard.ts`. Recovery: docs/operations.md#locked-out.
 */
export const createLockoutGuard =
  ({ settings, holds: isValidToken }: LockoutGuardDeps): LockoutGuard =>
  async (changes, { turnstile, ip, isAnsweredAt, host, hasFactors }) => {
    const newValues = new Map(changes.map(({ key, value }) => [key, value.trim()]))
    const address = newValues.get('ServerAddress')
    if (address !== undefined && !isAnsweredAt(address)) throw refuse('invalid', 'option.address_unproven', { host })
    const needsFactors = newValues.get(FACTORS) ?? NOBODY
    const isNew = needsFactors !== NOBODY && needsFactors !== settings.get(FACTORS)
    if (isNew && !(await hasFactors())) throw refuse('forbidden', 'factor.own_first')
    const secretKey = secretKeyAfter(newValues, settings)
    if (secretKey === undefined) return
    if (secretKey === '') throw refuse('invalid', 'turnstile.in_use')
    if (!turnstile) throw refuse('invalid', 'turnstile.unproven')
    if (!(await isValidToken(secretKey, turnstile, ip))) throw refuse('forbidden', 'turnstile.disproven')
  }

const FACTORS = 'TwoFactorRequiredRole'
const NOBODY = 'nobody'

/**
 * The secret key a token must be valid for; '' if the change would remove a key of the enabled check, undefined if no
 * proof is needed.
 */
function secretKeyAfter(newValues: ReadonlyMap<string, string>, settings: Pick<Settings, 'get'>): string | undefined {
  const wasOn = settings.get('TurnstileCheckEnabled')
  const isOn = (newValues.get('TurnstileCheckEnabled') ?? String(wasOn)) === 'true'
  if (!isOn) return undefined
  const before = [settings.get('TurnstileSiteKey'), settings.get('TurnstileSecretKey')] as const
  const siteKey = newValues.get('TurnstileSiteKey') ?? before[0]
  const secretKey = newValues.get('TurnstileSecretKey') ?? before[1]
  if (wasOn && siteKey === before[0] && secretKey === before[1]) return undefined
  // Turning the check on without keys is rejected elsewhere, with the keys it needs.
  if (siteKey === '' || secretKey === '') return wasOn ? '' : undefined
  return secretKey
}
