import type { AccessCheck } from '../accounts/access.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createGroupGuard } from '../accounts/guards/group-guard.ts'
import { createLockoutGuard } from '../accounts/guards/lockout-guard.ts'
import { createRootGuard } from '../accounts/guards/root-guard.ts'
import { createHumanCheck, createTokenCheck } from '../accounts/login/human-check.ts'
import type { Tokens } from '../accounts/tokens/tokens.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { FetchTrusted } from '../base/network/http-client.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { LedgerChecks } from '../billing/ledger-checks.ts'
import type { Nodes } from '../billing/nodes.ts'
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
import type { Db } from '../store/sqlite/database.ts'
import type { Reader } from '../store/sqlite/reader.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { createLetIn } from './account/complete-login.ts'
import { guestKeyApi } from './account/guest-key.ts'
import { handoverApi } from './account/handover.ts'
import { invitationApi } from './account/invitation.ts'
import { oauthApi } from './account/oauth.ts'
import { ownAccountApi } from './account/own-account.ts'
import { passkeyApi } from './account/passkey.ts'
import { registrationApi } from './account/registration.ts'
import { securityApi } from './account/security.ts'
import { setupApi } from './account/setup.ts'
import { ticketApi } from './account/ticket.ts'
import { tokenApi } from './account/token.ts'
import { userApi } from './account/user.ts'
import { userAdminApi } from './account/user-admin.ts'
import { createChannelApi } from './channel/channel.ts'
import { channelManyApi } from './channel/channel-many.ts'
import { channelRunsApi } from './channel/channel-runs.ts'
import { localModelsApi } from './channel/local-models.ts'
import { modelApi } from './channel/model.ts'
import { routingApi } from './channel/routing.ts'
import { dataApi } from './log/data.ts'
import { firstCallApi } from './log/first-call.ts'
import { keptBodiesApi } from './log/kept-bodies.ts'
import { ledgerApi } from './log/ledger.ts'
import { logApi } from './log/log.ts'
import { overviewApi } from './log/overview.ts'
import { taskApi } from './log/task.ts'
import type { HostGuard } from './middleware/host.ts'
import { type CatalogueApiDeps, catalogueApi } from './money/catalogue.ts'
import { pricingApi } from './money/pricing.ts'
import { redemptionApi } from './money/redemption.ts'
import { walletApi } from './money/wallet.ts'
import type { Served } from './serve.ts'
import { type BackupApiDeps, backupApi } from './system/backup.ts'
import { importApi } from './system/import.ts'
import { jobApi } from './system/job.ts'
import { nodeApi } from './system/node.ts'
import { optionApi } from './system/option.ts'
import { optionFileApi } from './system/option-file.ts'
import { optionHistoryApi } from './system/option-history.ts'
import { createOptionWriter } from './system/option-writer.ts'
import { responseCacheApi } from './system/response-cache.ts'
import { settingToolsApi } from './system/setting-tools.ts'
import { type ShareApiDeps, shareApi } from './system/share.ts'
import { statusApi } from './system/status.ts'

type AreasDeps = Readonly<{
  db: Db
  reader: Reader
  settings: Settings
  ledger: Ledger
  auditLog: AuditLog
  checks: LedgerChecks
  upkeep: Upkeep
  jobs: Pick<Scheduler, 'list' | 'runNow'>
  nodes: Nodes
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
  verifyUrl: string
  hosts: Pick<HostGuard, 'wouldKnow'>
}> &
  CatalogueApiDeps &
  Pick<BackupApiDeps, 'backups' | 'vault'> &
  Pick<ShareApiDeps, 'sharing'>

export function createAreas(deps: AreasDeps): (readonly Served[])[] {
  const { settings, channels, tokens, accounts, access, relay, clock } = deps
  const isHuman = createHumanCheck(deps)
  const letIn = createLetIn(access.loginGate)
  const guardLockout = createLockoutGuard({ settings, holds: createTokenCheck(deps) })
  const guardGroups = createGroupGuard(deps)
  const optionWriter = createOptionWriter({ ...deps, guardRoot: createRootGuard(deps), guardGroups, guardLockout })
  const activeConnections = () => relay.routes.active
  const priceOf = (model: string) => priceInDollars(relay.prices(), settings.get('QuotaPerUnit'), model)
  return [
    setupApi(access.setup, deps.nodes),
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
    nodeApi(deps),
    backupApi({ ...deps, ...access }),
    shareApi({ ...deps, ...access }),
    importApi(deps.imports),
    overviewApi({ ...deps, priceOf }),
    dataApi(deps),
    catalogueApi(deps),
  ]
}
