import { Secret, TOTP } from 'otpauth'
import { type Client, dataOf } from './client.ts'
import type { MovableClock } from './clock.ts'

/**
 * Sets up two-factor authentication for a user with this password; returns the recovery codes. Advances the clock, so
 * that the next code belongs to another time step.
 */
export async function withAuthenticator(person: Client, password: string, clock: MovableClock): Promise<string[]> {
  const { secret } = dataOf(await person.post('/api/user/2fa/setup', { password }))
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
  const { backup_codes } = dataOf(await person.post('/api/user/2fa/enable', { code }))
  clock.advance(60_000)
  return backup_codes
}
