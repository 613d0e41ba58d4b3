import type { Page } from '@playwright/test'
import type { PasskeyView } from '../../shared/api/passkey.ts'
import { refusesWith } from './entry-acts.ts'
import { tells } from './stub-routing.ts'

/** Refuses to start a login with a passkey, so that no device is prompted. */
export const passkeyIsRefused = refusesWith(
  /\/api\/user\/passkey\/login\/begin$/,
  'This passkey cannot log in here, or the account is banned',
)

/** Presses the button for login with a passkey, and waits for the result. */
export async function pressPasskey(page: Page): Promise<void> {
  await page.locator('.passkey-login button').click()
  await page.locator('.passkey-login [role=alert]').waitFor()
}

/** Chooses a passkey in place of a password, whose field disappears. */
export async function chooseOtherWay(page: Page): Promise<void> {
  await page.locator('.entry-form > button:last-child').click()
  await page.locator('.entry-form p').waitFor()
}

const passkeys: readonly PasskeyView[] = [
  ['Chrome on Windows', true, 1_795_000_000],
  ['Security key of the research department, blue', false, 1_794_000_000],
  ['iPhone', true, null],
].map(([name, isSynced, usedAt], place) => ({
  id: place + 1,
  name: String(name),
  host: place === 1 ? 'gateway.research.example.com' : 'localhost',
  is_synced: isSynced === true,
  created_at: 1_790_000_000 + place * 500_000,
  last_used_at: typeof usedAt === 'number' ? usedAt : null,
}))

/** Gives the account passkeys, one of them for another address. */
export const havePasskeys = tells(/\/api\/user\/passkey$/, passkeys)
