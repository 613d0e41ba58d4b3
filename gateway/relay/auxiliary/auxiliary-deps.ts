import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ClientSecrets } from '../admission/client-secrets.ts'
import type { Requester } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { RelayDeps } from '../relay.ts'
import type { ModelsDeps } from './model-list.ts'

export type AuxiliaryDeps = Readonly<{
  relay: RelayDeps
  models: ModelsDeps
  db: Db
  log: Logger
  clientSecrets: ClientSecrets
  /** Authenticates the caller; throws the refusals of docs/reference/errors.md#refusals. */
  identify: (context: RequestContext) => MaybePromise<Requester>
}>
