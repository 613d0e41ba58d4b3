import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { TokenRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'
import type { Prepare, Slot } from '../sqlite/prepared.ts'

/** Reads a request's token with its account, neither of them deleted, for the relay. Committed rows only. */
export interface CallerRows {
  byHash(keyHash: string): MaybePromise<CallerRow | undefined>
  byTokenId(tokenId: number): MaybePromise<CallerRow | undefined>
  /** The account without a token, in any status. */
  user(userId: number): MaybePromise<AccountRow | undefined>
}

export type CallerRow = NonNullable<Awaited<ReturnType<ReturnType<typeof callersIn>['executeTakeFirst']>>>
export type AccountRow = NonNullable<Awaited<ReturnType<ReturnType<typeof accountsIn>['executeTakeFirst']>>>

const limitColumns = [
  'requests_per_minute',
  'tokens_per_minute',
  'budget_minute',
  'budget_five_hours',
  'budget_day',
  'budget_week',
  'budget_month',
  'budget_time_zone',
  'budget_warn_percent',
] as const satisfies readonly (keyof TokenRow)[]

export type LimitColumn = (typeof limitColumns)[number]

/** Synchronous if `prepare` returns synchronous queries. */
export function callerRows(db: Db, prepare: Prepare): CallerRows {
  const byHash = prepare((slot: Slot<{ hash: string }>) => callersIn(db).where('tokens.key_hash', '=', slot('hash')))
  const byId = prepare((slot: Slot<{ id: number }>) => callersIn(db).where('tokens.id', '=', slot('id')))
  const users = prepare((slot: Slot<{ id: number }>) => accountsIn(db).where('users.id', '=', slot('id')))
  return {
    byHash: (hash) => byHash.one({ hash }),
    byTokenId: (id) => byId.one({ id }),
    user: (id) => users.one({ id }),
  }
}

const accountsIn = (db: Db) =>
  db
    .selectFrom('users')
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id as user_id',
      'users.username',
      'users.role',
      'users.status as user_status',
      'users.group as user_group',
      'users.setting',
    ])

const callersIn = (db: Db) =>
  accountsIn(db)
    .innerJoin('tokens', 'tokens.user_id', 'users.id')
    .where('tokens.deleted_at', 'is', null)
    .select([
      'tokens.id as token_id',
      'tokens.name as token_name',
      'tokens.status as token_status',
      'tokens.expired_time',
      'tokens.model_limits_enabled',
      'tokens.model_limits',
      'tokens.allow_ips',
      'tokens.group as token_group',
      'tokens.response_cache',
      'tokens.keep_bodies',
      'tokens.is_guest',
    ])
    .select(limitColumns.map((name) => `tokens.${name}` as const))
