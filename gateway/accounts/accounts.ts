import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { FetchTrusted } from '../base/network/http-client.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Passwords } from '../base/secrets/passwords.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { WebhookCheck } from '../notify/webhook-check.ts'
import type { Settings } from '../settings/settings.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import type { Db } from '../store/sqlite/database.ts'
import { createPasskeys, type Passkeys } from './factors/passkeys.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import { createOwnAccount, type OwnAccount } from './own-account.ts'
import type { RequirePassword } from './own-password.ts'
import { createLogins, type Logins } from './providers/logins.ts'
import { createProviderSignIn, type ProviderSignIn } from './providers/provider-sign-in.ts'
import { createExchange, type ProviderAddresses } from './providers/redirecting.ts'
import { createTelegramIdentity, type TelegramIdentity } from './providers/telegram.ts'
import { createCodeMails } from './recovery/code-mail.ts'
import { createPasswordReset, type PasswordReset } from './recovery/password-reset.ts'
import { createRegistration, type Registration } from './recovery/registration.ts'
import type { Tokens } from './tokens/tokens.ts'
import { createUserAdmin, type UserAdmin } from './user-admin.ts'

export interface Accounts {
  users: UserAdmin
  ownAccount: OwnAccount
  registration: Registration
  invitations: Invitations
  passkeys: Passkeys
  passwordReset: PasswordReset
  signIns: ProviderSignIn
  logins: Logins
  telegramIdentity: TelegramIdentity
  mailer: Mailer
  stop(): Promise<void>
}

type AccountsDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move' | 'flush' | 'forget'>
  passwords: Passwords
  requirePassword: RequirePassword
  settings: Settings
  mailer: Mailer
  shared: Pick<SharedState, 'changes' | 'mailCodes' | 'oauthStates' | 'passkeyChallenges' | 'rates' | 'usedAnswers'>
  vault: Vault
  refusalOf: WebhookCheck
  clock: Clock
  log: Logger
  show: (quota: number) => string
  tokens: Pick<Tokens, 'create'>
  fetchTrusted: FetchTrusted
  /** Addresses of providers that have the same address for every installation. */
  providers: ProviderAddresses
  /** GENERATE_DEFAULT_TOKEN: whether a registration also creates a first token. */
  givesTokens: boolean
  /**
   * Drops what this process caches about an account; the relay reads it again and aborts requests of a closed account.
   */
  forget: (userId: number) => MaybePromise<void>
}>

/** Wires the account rules over one database. A change takes effect on the next request, on this and on other nodes. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { shared, mailer, tokens, givesTokens, forget } = deps
  const onChange = async (userId: number) => {
    await forget(userId)
    return shared.changes.publish('users', [String(userId)])
  }
  const mails = createCodeMails({ ...deps, codes: shared.mailCodes, rates: shared.rates })
  const passwordReset = createPasswordReset({ ...deps, mails })
  const invitations = createInvitations(deps)
  const passkeys = createPasskeys({ ...deps, challenges: shared.passkeyChallenges })
  const signIns = createProviderSignIn({ ...deps, invitations, onChange })
  const exchange = createExchange({ ...deps, addresses: deps.providers })
  return {
    users: createUserAdmin({ ...deps, onChange }),
    ownAccount: createOwnAccount({ ...deps, mails, onChange }),
    invitations,
    passkeys,
    registration: createRegistration({
      ...deps,
      mails,
      invitations,
      passkeys,
      firstToken: givesTokens ? tokens : null,
    }),
    passwordReset,
    signIns,
    logins: createLogins({ states: shared.oauthStates, exchange, signIns }),
    telegramIdentity: createTelegramIdentity({ ...deps, usedAnswers: shared.usedAnswers }),
    mailer,
    stop: passwordReset.stop,
  }
}
