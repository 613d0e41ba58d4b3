import type { AccessCheck } from '../accounts/access.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createGroupGuard } from '../accounts/group-guard.ts'
import { createHumanCheck, createTokenCheck } from '../accounts/human-check.ts'
import { createLockoutGuard } from '../accounts/lockout-guard.ts'
import { createRootGuard } from '../accounts/root-guard.ts'
import type { Tokens } from '../accounts/tokens.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { FetchTrusted } from '../base/http-client.ts'
import type { Logger } from '../base/logger.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { LedgerChecks } from '../billing/ledger-checks.ts'
import { priceInDollars } from '../billing/price.ts'
import type { Upkeep } from '../billing/upkeep.ts'
import type { Channels } from '../channels/channels.ts'
import { createActivity } from '../channels/health/channel-activity.ts'
import type { Imports } from '../import/imports.ts'
import type { Scheduler } from '../jobs/scheduler.ts'
import type { Identities } from '../relay/admission/identify.ts'
import type { Relay } from '../relay/create.ts'
import { createWorkerCheck } from '../relay/media/worker-check.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import type { Reader } from '../store/reader.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { type BackupApiDeps, backupApi } from './backup.ts'
import { type CatalogueApiDeps, catalogueApi } from './catalogue.ts'
import { createChannelApi } from './channel.ts'
import { channelManyApi } from './channel-many.ts'
import { channelRunsApi } from './channel-runs.ts'
import { dataApi } from './data.ts'
import { firstCallApi } from './first-call.ts'
import { guestKeyApi } from './guest-key.ts'
import { handoverApi } from './handover.ts'
import { importApi } from './import.ts'
import { invitationApi } from './invitation.ts'
import { jobApi } from './job.ts'
import { keptBodiesApi } from './kept-bodies.ts'
import { ledgerApi } from './ledger.ts'
import { createLetIn } from './let-in.ts'
import { localModelsApi } from './local-models.ts'
import { logApi } from './log.ts'
import type { HostGuard } from './middleware/host.ts'
import { modelApi } from './model.ts'
import { oauthApi } from './oauth.ts'
import { optionApi } from './option.ts'
import { optionFileApi } from './option-file.ts'
import { optionHistoryApi } from './option-history.ts'
import { createOptionWriter } from './option-writer.ts'
import { overviewApi } from './overview.ts'
import { ownAccountApi } from './own-account.ts'
import { passkeyApi } from './passkey.ts'
import { pricingApi } from './pricing.ts'
import { redemptionApi } from './redemption.ts'
import { registrationApi } from './registration.ts'
import { responseCacheApi } from './response-cache.ts'
import { routingApi } from './routing.ts'
import { securityApi } from './security.ts'
import type { Served } from './serve.ts'
import { settingToolsApi } from './setting-tools.ts'
import { setupApi } from './setup.ts'
import { type ShareApiDeps, shareApi } from './share.ts'
import { statusApi } from './status.ts'
import { taskApi } from './task.ts'
import { ticketApi } from './ticket.ts'
import { tokenApi } from './token.ts'
import { userApi } from './user.ts'
import { userAdminApi } from './user-admin.ts'
import { walletApi } from './wallet.ts'

type AreasDeps = Readonly<{
  db: Db
  reader: Reader
  settings: Settings
  ledger: Ledger
  auditLog: AuditLog
  checks: LedgerChecks
  upkeep: Upkeep
  jobs: Pick<Scheduler, 'list' | 'runNow'>
  channels: Channels
  tokens: Tokens
  accounts: Accounts
  wallet: Wallet
  access: AccessCheck
  imports: Imports
  relay: Pick<
    Relay,
    'routes' | 'devices' | 'prices' | 'settled' | 'imageLinks' | 'explain' | 'responseCache' | 'keptBodies' | 'replays'
  >
  identities: Pick<Identities, 'account'>
  clock: Clock
  version: string
  fetchTrusted: FetchTrusted
  log: Logger
  /** Where tokens of the human check are verified. */
  verifyUrl: string
  hosts: Pick<HostGuard, 'wouldKnow'>
  /** Called once the first setup has been done. */
  onSetUp: () => void
}> &
  CatalogueApiDeps &
  Pick<BackupApiDeps, 'backups' | 'vault'> &
  Pick<ShareApiDeps, 'sharing'>

/** Every area of the console's API with its handlers; the server mounts what stands here. */
export function createAreas(deps: AreasDeps): (readonly Served[])[] {
  const { settings, channels, tokens, accounts, access, relay, clock } = deps
  const isHuman = createHumanCheck(deps)
  const letIn = createLetIn(access.entrance)
  const guardLockout = createLockoutGuard({ settings, holds: createTokenCheck(deps) })
  const guardGroups = createGroupGuard(deps)
  const optionWriter = createOptionWriter({ ...deps, guardRoot: createRootGuard(deps), guardGroups, guardLockout })
  const activeConnections = () => relay.routes.active
  const priceOf = (model: string) => priceInDollars(relay.prices(), settings.get('QuotaPerUnit'), model)
  return [
    setupApi({ setup: access.setup, onSetUp: deps.onSetUp }),
    statusApi({ ...deps, setup: access.setup, startTime: unixSeconds(clock), activeConnections }),
    userApi({ ...deps, signIn: access.signIn, letIn, isHuman, registry: channels.registry }),
    userAdminApi({ ...deps, users: accounts.users }),
    ownAccountApi(accounts.ownAccount, access.recentLogin),
    registrationApi({ ...accounts, isHuman, settings }),
    invitationApi(accounts.invitations),
    oauthApi({ ...deps, ...accounts, letIn }),
    passkeyApi({ ...accounts, ...access, settings }),
    securityApi({ ...deps, ...access, users: accounts.users }),
    ticketApi(access),
    handoverApi(access),
    optionApi({ settings, writer: optionWriter }),
    optionHistoryApi({ ...deps, writer: optionWriter }),
    optionFileApi({ ...deps, writer: optionWriter }),
    settingToolsApi({
      ...deps,
      mailer: accounts.mailer,
      proveWorker: createWorkerCheck({ ...deps, userAgent: `Switchyard/${deps.version}` }),
    }),
    pricingApi({ ...deps, registry: channels.registry, prices: relay.prices }),
    modelApi(deps),
    walletApi(deps),
    redemptionApi(deps),
    tokenApi({ ...deps, tokens, responseCache: relay.responseCache }),
    guestKeyApi({ ...deps, devices: relay.devices }),
    responseCacheApi({ ...deps, responseCache: relay.responseCache }),
    routingApi(deps),
    createChannelApi(channels, priceOf),
    channelRunsApi(channels),
    localModelsApi(channels),
    channelManyApi(channels, createActivity({ ...deps, settled: () => deps.ledger.flush() })),
    firstCallApi({ ...deps, settled: relay.settled }),
    logApi({ ...deps, keptBodies: relay.keptBodies }),
    keptBodiesApi({ ...deps, ...relay, registry: channels.registry }),
    taskApi({ ...deps, ...relay }),
    ledgerApi(deps),
    jobApi(deps),
    backupApi({ ...deps, ...access }),
    shareApi({ ...deps, ...access }),
    importApi(deps.imports),
    overviewApi({ ...deps, priceOf }),
    dataApi(deps),
    catalogueApi(deps),
  ]
}
