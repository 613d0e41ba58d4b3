import type { OptionKey } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { TokenCheck } from './human-check.ts'
import type { OptionChange } from './root-guard.ts'

/** What a call that changes an option shows for it. */
export type Proof = Readonly<{
  /** A token that the caller's browser got from Turnstile for the keys that would be in force. */
  turnstile: string | undefined
  ip: string
  /** Whether this very call would still be answered if ServerAddress were this text. */
  isAnsweredAt: (serverAddress: string) => boolean
  /** Where the console is open, for the refusal. */
  host: string
  /** Whether whoever changes it has a second factor. */
  hasFactors: () => Promise<boolean>
}>

/** Refuses changes that nobody could sign in after once all of them are in force, unless the call proves that they work. */
export type LockoutGuard = (changes: readonly OptionChange[], proof: Proof) => Promise<void>

/** Options that are proven by one and the same proof, so that their changes are looked at together; no other one needs any. */
export const provenTogether: readonly (readonly OptionKey[])[] = [
  ['ServerAddress'],
  ['TwoFactorRequiredRole'],
  ['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'],
]

type LockoutGuardDeps = Readonly<{ settings: Pick<Settings, 'get'>; holds: TokenCheck }>

/**
 * Options that can lock the last administrator out are proven before they are saved: the human check, when it is switched
 * on and when one of its keys is exchanged while it is on, by a token that holds for the very keys; the server address, by
 * a call that would still be answered; that others must have a second factor, by whoever has one. That a way to sign in is left is for `root-guard.ts` to say. The way back is in
 * docs/operations.md#locked-out.
 */
export const createLockoutGuard =
  ({ settings, holds }: LockoutGuardDeps): LockoutGuard =>
  async (changes, { turnstile, ip, isAnsweredAt, host, hasFactors }) => {
    const wanted = new Map(changes.map(({ key, value }) => [key, value.trim()]))
    const address = wanted.get('ServerAddress')
    if (address !== undefined && !isAnsweredAt(address)) throw refuse('invalid', 'option.address_unproven', { host })
    const needsFactors = wanted.get(FACTORS) ?? NOBODY
    const isNew = needsFactors !== NOBODY && needsFactors !== settings.get(FACTORS)
    if (isNew && !(await hasFactors())) throw refuse('forbidden', 'factor.own_first')
    const secretKey = secretKeyAfter(wanted, settings)
    if (secretKey === undefined) return
    if (secretKey === '') throw refuse('invalid', 'turnstile.in_use')
    if (!turnstile) throw refuse('invalid', 'turnstile.unproven')
    if (!(await holds(secretKey, turnstile, ip))) throw refuse('forbidden', 'turnstile.disproven')
  }

const FACTORS = 'TwoFactorRequiredRole'
const NOBODY = 'nobody'

/** The secret key a token has to hold for; '' when a key would be taken from the check that is on, undefined when nothing has to be proven. */
function secretKeyAfter(wanted: ReadonlyMap<string, string>, settings: Pick<Settings, 'get'>): string | undefined {
  const wasOn = settings.get('TurnstileCheckEnabled')
  const isOn = (wanted.get('TurnstileCheckEnabled') ?? String(wasOn)) === 'true'
  if (!isOn) return undefined
  const before = [settings.get('TurnstileSiteKey'), settings.get('TurnstileSecretKey')] as const
  const siteKey = wanted.get('TurnstileSiteKey') ?? before[0]
  const secretKey = wanted.get('TurnstileSecretKey') ?? before[1]
  if (wasOn && siteKey === before[0] && secretKey === before[1]) return undefined
  // Without keys, a switch that was off is refused for what it needs.
  if (siteKey === '' || secretKey === '') return wasOn ? '' : undefined
  return secretKey
}
