import { backup } from '../../../shared/api/backup.ts'
import type { ApiCall } from '../../../shared/api/call.ts'
import { catalogue } from '../../../shared/api/catalogue.ts'
import { channel } from '../../../shared/api/channel.ts'
import { channelMany } from '../../../shared/api/channel-many.ts'
import { channelRuns } from '../../../shared/api/channel-runs.ts'
import { data } from '../../../shared/api/data.ts'
import { firstCall } from '../../../shared/api/first-call.ts'
import { guestKey } from '../../../shared/api/guest-key.ts'
import { handover } from '../../../shared/api/handover.ts'
import { imports } from '../../../shared/api/import.ts'
import { invitation } from '../../../shared/api/invitation.ts'
import { job } from '../../../shared/api/job.ts'
import { keptBodies } from '../../../shared/api/kept-bodies.ts'
import { ledger } from '../../../shared/api/ledger.ts'
import { localModels } from '../../../shared/api/local-models.ts'
import { log } from '../../../shared/api/log.ts'
import { model } from '../../../shared/api/model.ts'
import { node } from '../../../shared/api/node.ts'
import { oauth } from '../../../shared/api/oauth.ts'
import { option } from '../../../shared/api/option.ts'
import { optionFile } from '../../../shared/api/option-file.ts'
import { optionHistory } from '../../../shared/api/option-history.ts'
import { overview } from '../../../shared/api/overview.ts'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { passkey } from '../../../shared/api/passkey.ts'
import { pricing } from '../../../shared/api/pricing.ts'
import { redemption } from '../../../shared/api/redemption.ts'
import { registration } from '../../../shared/api/registration.ts'
import { responseCache } from '../../../shared/api/response-cache.ts'
import { routing } from '../../../shared/api/routing.ts'
import { scheduledPrices } from '../../../shared/api/scheduled-prices.ts'
import { security } from '../../../shared/api/security.ts'
import { settingTools } from '../../../shared/api/setting-tools.ts'
import { setup } from '../../../shared/api/setup.ts'
import { share } from '../../../shared/api/share.ts'
import { status } from '../../../shared/api/status.ts'
import { drawing, task } from '../../../shared/api/task.ts'
import { ticket } from '../../../shared/api/ticket.ts'
import { token } from '../../../shared/api/token.ts'
import { user } from '../../../shared/api/user.ts'
import { userAdmin } from '../../../shared/api/user-admin.ts'
import { wallet } from '../../../shared/api/wallet.ts'

/** Calls that the document shows together; operation ids begin with the name of a group. */
type Area = Readonly<{
  tag: string
  about: string
  groups: Readonly<Record<string, Readonly<Record<string, ApiCall>>>>
}>

/** Every call of the console's API, in the order of the document. */
export const areas: readonly Area[] = [
  { tag: 'Status', about: 'What anyone may know of this gateway.', groups: { status } },
  { tag: 'Setup', about: 'The first start.', groups: { setup } },
  {
    tag: 'Accounts',
    about: 'Logging in and out, registering, and what people do with their own account.',
    groups: { user, ownAccount, registration, oauth, passkey, security, ticket, handover },
  },
  { tag: 'Users', about: 'What administrators do with the accounts of others.', groups: { userAdmin, invitation } },
  {
    tag: 'Wallet',
    about: 'Redemption codes, and quota that is paid for online.',
    groups: { wallet, redemption },
  },
  { tag: 'Tokens', about: 'The keys that programs call the gateway with.', groups: { token, firstCall, guestKey } },
  {
    tag: 'Channels',
    about: "The providers' accounts behind the gateway, their tests and balances.",
    groups: { channel, channelRuns, localModels, channelMany },
  },
  { tag: 'Routing', about: 'Which channel a request is sent to, and why.', groups: { routing } },
  { tag: 'Models', about: 'Groups, and the models that are known by name.', groups: { model } },
  { tag: 'Pricing', about: 'What models cost, and what a request would.', groups: { pricing } },
  {
    tag: 'Usage log',
    about: 'Requests: who sent them, and what they cost.',
    groups: { log, keptBodies, overview, data },
  },
  { tag: 'Tasks', about: 'Background tasks of Midjourney and Suno.', groups: { drawing, task } },
  { tag: 'Ledger', about: 'Verification of balances, and retention of records.', groups: { ledger } },
  { tag: 'Background jobs', about: 'Background jobs and their last runs.', groups: { job } },
  { tag: 'Nodes', about: 'The gateways that share a PostgreSQL database.', groups: { node } },
  { tag: 'Backups', about: 'Copies of the database, the way back to one, and the data key.', groups: { backup } },
  {
    tag: 'Sharing',
    about: 'The gateway on the local network: whether, where, and who has called.',
    groups: { share },
  },
  {
    tag: 'Options',
    about: 'How the gateway is set up.',
    groups: { option, optionHistory, optionFile, settingTools, responseCache },
  },
  {
    tag: 'Price updates',
    about: 'Prices taken over from catalogues, at once or at a time set ahead.',
    groups: { catalogue, scheduledPrices },
  },
  { tag: 'Import', about: 'Taking over what another gateway has.', groups: { imports } },
]
