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
}>

/** Refuses a change that nobody could sign in after, unless the call proves that it works. */
export type LockoutGuard = (change: OptionChange, proof: Proof) => Promise<void>

export type LockoutGuardDeps = Readonly<{ settings: Pick<Settings, 'get'>; holds: TokenCheck }>

/**
 * Options that can lock the last administrator out are proven before they are saved: the human check, when it is switched
 * on and when one of its keys is exchanged while it is on, by a token that holds for the very keys; the server address, by
 * a call that would still be answered. That a way to sign in is left is for `root-guard.ts` to say. The way back is in
 * docs/operations.md#locked-out.
 */
export const createLockoutGuard =
  ({ settings, holds }: LockoutGuardDeps): LockoutGuard =>
  async ({ key, value }, { turnstile, ip, isAnsweredAt, host }) => {
    if (key === 'ServerAddress' && !isAnsweredAt(value.trim()))
      throw refuse('invalid', 'option.address_unproven', { host })
    const secretKey = secretKeyAfter(key, value.trim(), settings)
    if (secretKey === undefined) return
    if (secretKey === '') throw refuse('invalid', 'turnstile.in_use')
    if (!turnstile) throw refuse('invalid', 'turnstile.unproven')
    if (!(await holds(secretKey, turnstile, ip))) throw refuse('forbidden', 'turnstile.disproven')
  }

/** The secret key a token has to hold for; '' when a key would be taken from the check that is on, undefined when nothing has to be proven. */
function secretKeyAfter(key: string, value: string, settings: Pick<Settings, 'get'>): string | undefined {
  const isOn = settings.get('TurnstileCheckEnabled')
  const [siteKey, secretKey] = [settings.get('TurnstileSiteKey'), settings.get('TurnstileSecretKey')]
  // Without keys the switch is refused for what it needs.
  if (key === 'TurnstileCheckEnabled') return value === 'true' && !isOn ? secretKey || undefined : undefined
  if (!isOn) return undefined
  if (key === 'TurnstileSecretKey') return value === secretKey ? undefined : value
  if (key !== 'TurnstileSiteKey' || value === siteKey) return undefined
  return value === '' ? '' : secretKey
}
