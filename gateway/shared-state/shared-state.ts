import type { Clock } from '../base/clock.ts'
import { type Affinity, createAffinity } from './affinity.ts'
import { type Changes, noOtherNodes } from './changes.ts'
import { type CooldownEntries, createCooldownEntries } from './cooldown-entries.ts'
import { createFailureWindow, type FailureWindow } from './failure-window.ts'
import { type JobLocks, ownJobs } from './job-locks.ts'
import { createMailCodes, type MailCodes } from './mail-codes.ts'
import { createOauthStates, type OauthStates } from './oauth-states.ts'
import { createPasskeyChallenges, type PasskeyChallenges } from './passkey-challenges.ts'
import { createPendingLogins, type PendingLogins } from './pending-logins.ts'
import { ownRates, type Rates } from './rates.ts'
import { createSetupCode, type SetupCode } from './setup-code.ts'
import { noSharedCounts, type SharedCounts } from './shared-counts.ts'
import { createUsedAnswers, type UsedAnswers } from './used-answers.ts'

/**
 * State that all nodes of an installation share outside the database. Losing it costs a retry, a prompt cache or a
 * renewed allowance, but never money, which is in the ledger.
 */
export type SharedState = Readonly<{
  affinity: Affinity
  changes: Changes
  cooldowns: CooldownEntries
  counts: SharedCounts
  failures: FailureWindow
  locks: JobLocks
  mailCodes: MailCodes
  oauthStates: OauthStates
  passkeyChallenges: PasskeyChallenges
  pendingLogins: PendingLogins
  rates: Rates
  usedAnswers: UsedAnswers
  setupCode: SetupCode
}>

export const ownState = (clock: Clock): SharedState => ({
  affinity: createAffinity(clock),
  changes: noOtherNodes,
  cooldowns: createCooldownEntries(),
  counts: noSharedCounts,
  failures: createFailureWindow(clock),
  locks: ownJobs,
  mailCodes: createMailCodes(clock),
  oauthStates: createOauthStates(clock),
  passkeyChallenges: createPasskeyChallenges(clock),
  pendingLogins: createPendingLogins(clock),
  rates: ownRates(clock),
  usedAnswers: createUsedAnswers(clock),
  setupCode: createSetupCode(),
})
