import { initial } from './0001-initial.ts'
import { storedResponses } from './0002-stored-responses.ts'
import { channelKeys } from './0003-channel-keys.ts'
import { tokenLimits } from './0004-token-limits.ts'
import { ledgerChecks } from './0005-ledger-checks.ts'
import { logIndexes } from './0006-log-indexes.ts'
import { noAbilities } from './0007-no-abilities.ts'
import { conversations } from './0008-conversations.ts'
import { channelTests } from './0009-channel-tests.ts'
import { logSearch } from './0010-log-search.ts'
import { optionChanges } from './0011-option-changes.ts'
import { scheduledPrices } from './0012-scheduled-prices.ts'
import { imports } from './0013-imports.ts'
import { secondFactors } from './0014-second-factors.ts'
import { notices } from './0015-notices.ts'
import { invitations } from './0016-invitations.ts'
import { passkeys } from './0017-passkeys.ts'
import { pastIdentities } from './0018-past-identities.ts'
import { usageHours } from './0019-usage-hours.ts'
import { wallet } from './0020-wallet.ts'
import { drawingsAndTasks } from './0021-drawings-and-tasks.ts'
import { jobRuns } from './0022-job-runs.ts'
import { responseCache } from './0023-response-cache.ts'
import { keptBodies } from './0024-kept-bodies.ts'
import { hoursThatAgree } from './0025-hours-that-agree.ts'
import { guestKeys } from './0026-guest-keys.ts'
import { foreignPasswords } from './0027-foreign-passwords.ts'
import { pendingNotices } from './0028-pending-notices.ts'
import { makersOfStoredThings } from './0029-makers-of-stored-things.ts'
import { usernamesInAnyCase } from './0030-usernames-in-any-case.ts'
import type { Migration } from './column.ts'

/** In order; a migration's version is its place in this list, counted from 1. Append only. */
export const migrations: readonly Migration[] = [
  initial,
  storedResponses,
  channelKeys,
  tokenLimits,
  ledgerChecks,
  logIndexes,
  noAbilities,
  conversations,
  channelTests,
  logSearch,
  optionChanges,
  scheduledPrices,
  imports,
  secondFactors,
  notices,
  invitations,
  passkeys,
  pastIdentities,
  usageHours,
  wallet,
  drawingsAndTasks,
  jobRuns,
  responseCache,
  keptBodies,
  hoursThatAgree,
  guestKeys,
  foreignPasswords,
  pendingNotices,
  makersOfStoredThings,
  usernamesInAnyCase,
]
