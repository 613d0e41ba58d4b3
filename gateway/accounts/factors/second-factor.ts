import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODES } from '../../../shared/api/security.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomKey, sha256 } from '../../base/ids.ts'
import { UnreadableSecret, type Vault } from '../../base/secrets/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RateWindow } from '../../shared-state/rates.ts'
import { factorStore } from '../../store/accounts/factors.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { triesKey } from '../login/attempt-key.ts'
import type { Device, Sessions } from '../login/sessions.ts'
import type { RequirePassword } from '../own-password.ts'

type SecondFactorDeps = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  settings: Pick<Settings, 'get'>
  sessions: Pick<Sessions, 'knows'>
  requirePassword: RequirePassword
  /** Counts attempts with app codes by account, separately for addresses where its owner is logged in. */
  attempts: RateWindow
}>

/** One-time codes from an authenticator app (RFC 6238) and recovery codes (docs/reference/accounts.md#two-factors). */
export interface SecondFactor {
  isOn(userId: number): Promise<boolean>
  /**
   * Checks and consumes an app code or a recovery code. Throws if it is wrong, or after too many attempts with app
   * codes.
   */
  check(userId: number, code: string, device: Device): Promise<void>
  /**
   * Creates a secret for an app after checking the password; it takes effect once confirmed with a code within ten
   * minutes.
   */
  propose(user: UserRow, password: string, device: Device): Promise<{ secret: string; qr_code_data: string }>
  /** Confirms the secret with the first code. Returns the recovery codes, which are stored as hashes. */
  enable(userId: number, code: string, device: Device): Promise<string[]>
  disable(userId: number, code: string, device: Device): Promise<void>
  renewCodes(userId: number, code: string, device: Device): Promise<string[]>
  codesLeft(userId: number): Promise<number>
}

const APP_CODE = /^\d{6}$/
const STEP_SECONDS = 30
/** An unconfirmed secret expires after this. */
const CONFIRM_WITHIN_SECONDS = 600
/** One step in each direction, for clock skew and typing time. */
const WINDOW = 1

export function createSecondFactor(deps: SecondFactorDeps): SecondFactor {
  const { db, vault, clock, settings, sessions, requirePassword, attempts } = deps
  const factors = factorStore(db)
  const confirmed = async (userId: number) => {
    const row = await factors.authenticator(userId)
    return row?.confirmed_at == null ? undefined : row
  }
  /** Returns the time step a code belongs to; undefined for a wrong code. */
  const stepOf = (userId: number, sealed: string, typed: string): number | undefined => {
    const now = clock.now()
    const delta = totpOf(opened(sealed, userId, vault)).validate({ token: typed, timestamp: now, window: WINDOW })
    return delta === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + delta
  }
  const passes = async (userId: number, typed: string): Promise<boolean> => {
    const row = await confirmed(userId)
    if (!row) return false
    const step = stepOf(userId, row.secret, typed)
    return step !== undefined && (await factors.take(userId, step))
  }
  /** Counts all attempts with app codes; a correct code resets the count. */
  const withLimit = async (userId: number, { ip }: Device, isRight: () => Promise<boolean>) => {
    const key = await triesKey(sessions, { userId, ip, otherwise: `account ${userId}` })
    const wait = await attempts.take(key)
    if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
    if (!(await isRight())) throw refuse('forbidden', 'factor.wrong')
    await attempts.clear(key)
  }
  const check: SecondFactor['check'] = async (userId, typed, device) => {
    const code = normalized(typed)
    if (APP_CODE.test(code)) return withLimit(userId, device, () => passes(userId, code))
    // Recovery codes cannot be guessed, so they are not limited: they work for the owner even while others exhaust the
    // limit on app codes.
    const isRight = (await confirmed(userId)) !== undefined && (await factors.takeCode(userId, hashOf(code)))
    if (!isRight) throw refuse('forbidden', 'factor.wrong')
  }
  const newCodes = async (userId: number) => {
    const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode)
    await db.transaction().execute((transaction) => factorStore(transaction).replaceCodes(userId, codes.map(hashOf)))
    return codes
  }
  return {
    isOn: async (userId) => (await confirmed(userId)) !== undefined,
    check,
    async propose(user, password, device) {
      const { id, username } = user
      await requirePassword(user, password, device)
      const secret = new Secret({ size: 20 }).base32
      if (!(await factors.propose(id, vault.seal(secret, sealContext(id)), unixSeconds(clock))))
        throw refuse('invalid', 'factor.on')
      const shown = totpOf(secret, { issuer: settings.get('SystemName'), label: username })
      return { secret, qr_code_data: shown.toString() }
    },
    async enable(userId, code, device) {
      const row = await factors.authenticator(userId)
      const now = unixSeconds(clock)
      if (row && row.confirmed_at !== null) throw refuse('invalid', 'factor.on')
      if (!row || row.created_at < now - CONFIRM_WITHIN_SECONDS) throw refuse('invalid', 'factor.unproposed')
      await withLimit(userId, device, async () => {
        const step = stepOf(userId, row.secret, normalized(code))
        return step !== undefined && (await factors.take(userId, step, now))
      })
      return newCodes(userId)
    },
    async disable(userId, code, device) {
      if (!(await confirmed(userId))) throw refuse('invalid', 'factor.none')
      await check(userId, code, device)
      await db.transaction().execute((transaction) => factorStore(transaction).remove(userId))
    },
    async renewCodes(userId, code, device) {
      if (!(await confirmed(userId))) throw refuse('invalid', 'factor.none')
      await check(userId, code, device)
      return newCodes(userId)
    },
    codesLeft: (userId) => factors.codesLeft(userId),
  }
}

const totpOf = (secret: string, shown: Readonly<{ issuer?: string; label?: string }> = {}): TOTP =>
  new TOTP({ ...shown, secret: Secret.fromBase32(secret), period: STEP_SECONDS, digits: 6, algorithm: 'SHA1' })

const sealContext = (userId: number): string => `authenticators|${userId}|secret`

/** With a secret the data key cannot decrypt, app codes fail but recovery codes still work. */
function opened(sealed: string, userId: number, vault: Vault): string {
  try {
    return vault.open(sealed, sealContext(userId))
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    throw refuse('forbidden', 'factor.wrong', {}, { cause: error })
  }
}

/** Four groups of four letters and digits: 82 bits. */
const recoveryCode = (): string =>
  randomKey(16)
    .toLowerCase()
    .replace(/(.{4})(?=.)/g, '$1-')

const normalized = (typed: string): string => typed.toLowerCase().replace(/[^a-z0-9]/g, '')
const hashOf = (code: string): string => sha256(normalized(code))
