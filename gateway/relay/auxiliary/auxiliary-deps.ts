import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { PriceBook } from '../../billing/price.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ClientSecrets } from '../admission/client-secrets.ts'
import type { Requester } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { RelayDeps } from '../relay.ts'

export type ModelsDeps = Readonly<{ settings: Settings; registry: ChannelRegistry; prices: () => PriceBook }>

export type AuxiliaryDeps = Readonly<{
  relay: RelayDeps
  models: ModelsDeps
  db: Db
  log: Logger
  clientSecrets: ClientSecrets
  /** Authenticates the caller; throws the refusals of docs/reference/errors.md#refusals. */
  identify: (context: RequestContext) => MaybePromise<Requester>
}>
