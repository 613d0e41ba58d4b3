import { sql } from 'kysely'
import { build, columnsFor, type Migration, type Older, type SqlDialect } from './column.ts'

/**
 * The first schema (docs/reference/tables.md#tables): what is in use, sessions, the ledger and the journal's anchor.
 */
export const initial: Migration = {
  name: 'initial',
  async up(db, dialect) {
    await accounts(db, dialect)
    await routing(db, dialect)
    await books(db, dialect)
    await activity(db, dialect)
    await housekeeping(db, dialect)
  },
}

/**
 * A balance may fall below zero by one request's overrun, never further than this
 * (docs/reference/reliability.md#money-invariants).
 */
const balance = (name: string) => sql`${sql.ref(name)} between -1000000000000 and 1000000000000000`
const amount = (name: string) => sql`${sql.ref(name)} between 0 and 1000000000000000`
const oneOf = (name: string, ...values: number[]) => sql`${sql.ref(name)} in (${sql.raw(values.join(','))})`

async function accounts(db: Older, dialect: SqlDialect): Promise<void> {
  const { id, whole, text, optionalText, optionalWhole, strict } = columnsFor(dialect)
  const providers = ['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']
  await build(
    db.schema.createTable('users'),
    id,
    text('username', undefined, (column) => column.unique()),
    text('password', ''),
    text('display_name', ''),
    whole('role', 1, (column) => column.check(oneOf('role', 1, 10, 100))),
    whole('status', 1),
    text('email', ''),
    ...providers.map((provider) => text(provider, '')),
    optionalText('access_token_hash'),
    whole('quota', 0, (column) => column.check(balance('quota'))),
    whole('used_quota', 0, (column) => column.check(amount('used_quota'))),
    whole('request_count', 0),
    text('group', 'default'),
    optionalText('aff_code'),
    whole('aff_count', 0),
    whole('aff_quota', 0, (column) => column.check(amount('aff_quota'))),
    whole('aff_history', 0),
    whole('inviter_id', 0),
    text('setting', ''),
    text('remark', ''),
    whole('created_at'),
    optionalWhole('deleted_at'),
    strict,
  ).execute()
  await db.schema.createIndex('users_access_token').on('users').column('access_token_hash').unique().execute()
  await db.schema.createIndex('users_aff_code').on('users').column('aff_code').unique().execute()
  await db.schema.createIndex('users_inviter').on('users').column('inviter_id').execute()
  await sql`create unique index users_email on users (lower(email)) where email <> ''`.execute(db)
  for (const provider of providers)
    await sql`create unique index ${sql.ref(`users_${provider}`)} on users (${sql.ref(provider)}) where ${sql.ref(provider)} <> ''`.execute(
      db,
    )
  await build(
    db.schema.createTable('sessions'),
    text('id_hash', undefined, (column) => column.primaryKey()),
    optionalWhole('user_id'),
    text('data', ''),
    text('ip', ''),
    text('user_agent', ''),
    whole('created_at'),
    whole('last_seen_at'),
    whole('expires_at'),
    strict,
  ).execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await build(
    db.schema.createTable('tokens'),
    id,
    whole('user_id'),
    text('key_hash', undefined, (column) => column.unique()),
    text('key'),
    whole('status', 1, (column) => column.check(oneOf('status', 1, 2, 3, 4))),
    text('name', ''),
    whole('created_time'),
    whole('accessed_time', 0),
    whole('expired_time', -1),
    whole('remain_quota', 0, (column) => column.check(balance('remain_quota'))),
    whole('unlimited_quota', 0, (column) => column.check(oneOf('unlimited_quota', 0, 1))),
    whole('model_limits_enabled', 0, (column) => column.check(oneOf('model_limits_enabled', 0, 1))),
    text('model_limits', ''),
    text('allow_ips', ''),
    whole('used_quota', 0, (column) => column.check(amount('used_quota'))),
    text('group', ''),
    optionalWhole('deleted_at'),
    strict,
  ).execute()
  await db.schema.createIndex('tokens_user').on('tokens').column('user_id').execute()
}

async function routing(db: Older, dialect: SqlDialect): Promise<void> {
  const { id, whole, text, optionalText, real, strict } = columnsFor(dialect)
  await build(
    db.schema.createTable('channels'),
    id,
    whole('type', 0),
    text('key'),
    text('openai_organization', ''),
    text('test_model', ''),
    whole('status', 1, (column) => column.check(oneOf('status', 1, 2, 3))),
    text('name', ''),
    whole('weight', 0),
    whole('created_time'),
    whole('test_time', 0),
    whole('response_time', 0),
    text('base_url', ''),
    text('other', ''),
    real('balance', 0),
    whole('balance_updated_time', 0),
    text('models', ''),
    text('group', 'default'),
    whole('used_quota', 0, (column) => column.check(amount('used_quota'))),
    text('model_mapping', ''),
    whole('max_input_tokens', 0),
    text('status_code_mapping', ''),
    whole('priority', 0),
    whole('auto_ban', 1, (column) => column.check(oneOf('auto_ban', 0, 1))),
    text('other_info', ''),
    optionalText('tag'),
    text('setting', ''),
    text('param_override', ''),
    strict,
  ).execute()
  await db.schema.createIndex('channels_tag').on('channels').column('tag').execute()
  await build(
    db.schema.createTable('abilities'),
    text('group'),
    text('model'),
    whole('channel_id'),
    whole('enabled', 1, (column) => column.check(oneOf('enabled', 0, 1))),
    whole('priority', 0),
    whole('weight', 0),
    optionalText('tag'),
    (table) => table.addPrimaryKeyConstraint('abilities_key', ['group', 'model', 'channel_id'] as never),
    strict,
  ).execute()
  await db.schema.createIndex('abilities_channel').on('abilities').column('channel_id').execute()
  await build(
    db.schema.createTable('channel_upstream_seen'),
    whole('channel_id'),
    text('group'),
    text('client_type'),
    whole('first_seen'),
    whole('last_seen'),
    (table) =>
      table.addPrimaryKeyConstraint('channel_upstream_seen_key', ['channel_id', 'group', 'client_type'] as never),
    strict,
  ).execute()
  await build(
    db.schema.createTable('options'),
    text('key', undefined, (column) => column.primaryKey()),
    text('value'),
    whole('updated_at', 0),
    strict,
  ).execute()
}

async function books(db: Older, dialect: SqlDialect): Promise<void> {
  const { id, rowId, whole, text, optionalWhole, real, strict } = columnsFor(dialect)
  await build(
    db.schema.createTable('ledger'),
    rowId,
    whole('created_at'),
    whole('user_id'),
    whole('token_id', 0),
    whole('channel_id', 0),
    text('kind'),
    whole('amount', undefined, (column) => column.check(balance('amount'))),
    text('ref_type'),
    text('ref_id'),
    whole('balance_after'),
    (table) => table.addUniqueConstraint('ledger_once', ['kind', 'ref_type', 'ref_id'] as never),
    strict,
  ).execute()
  await build(
    db.schema.createTable('journal_anchor'),
    whole('id', undefined, (column) => column.primaryKey().check(sql`id = 1`)),
    text('installation'),
    whole('sequence'),
    strict,
  ).execute()
  await build(
    db.schema.createTable('redemptions'),
    id,
    whole('user_id'),
    text('key', undefined, (column) => column.unique()),
    whole('status', 1, (column) => column.check(oneOf('status', 1, 2, 3))),
    text('name', ''),
    whole('quota', 100, (column) => column.check(sql`quota between 1 and 1000000000000`)),
    whole('created_time'),
    whole('redeemed_time', 0),
    whole('used_user_id', 0),
    whole('expired_time', 0),
    optionalWhole('deleted_at'),
    strict,
  ).execute()
  await build(
    db.schema.createTable('top_ups'),
    id,
    whole('user_id'),
    whole('amount'),
    real('money'),
    text('trade_no', undefined, (column) => column.unique()),
    whole('create_time'),
    text('status', 'pending', (column) => column.check(sql`status in ('pending', 'success', 'expired')`)),
    whole('quota', 0, (column) => column.check(amount('quota'))),
    text('payment_method', ''),
    text('provider', 'epay'),
    whole('complete_time', 0),
    text('provider_trade_no', ''),
    strict,
  ).execute()
  await db.schema.createIndex('top_ups_user').on('top_ups').column('user_id').execute()
}

async function activity(db: Older, dialect: SqlDialect): Promise<void> {
  const { id, rowId, whole, text, strict } = columnsFor(dialect)
  await build(
    db.schema.createTable('logs'),
    rowId,
    whole('user_id'),
    whole('created_at'),
    whole('type', undefined, (column) => column.check(oneOf('type', 1, 2, 3, 4, 5))),
    text('content', ''),
    text('username', ''),
    text('token_name', ''),
    text('model_name', ''),
    whole('quota', 0),
    whole('prompt_tokens', 0),
    whole('completion_tokens', 0),
    whole('use_time', 0),
    whole('is_stream', 0, (column) => column.check(oneOf('is_stream', 0, 1))),
    whole('channel_id', 0),
    whole('token_id', 0),
    text('group', ''),
    text('ip', ''),
    text('other', ''),
    text('request_id', ''),
    strict,
  ).execute()
  await db.schema.createIndex('logs_user').on('logs').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('logs_time').on('logs').columns(['created_at', 'type']).execute()
  await build(
    db.schema.createTable('midjourneys'),
    id,
    whole('code', 0),
    whole('user_id'),
    ...['action', 'mj_id', 'prompt', 'prompt_en', 'description', 'state'].map((name) => text(name, '')),
    ...['submit_time', 'start_time', 'finish_time'].map((name) => whole(name, 0)),
    ...['image_url', 'status', 'progress', 'fail_reason'].map((name) => text(name, '')),
    whole('channel_id', 0),
    whole('quota', 0),
    text('buttons', ''),
    text('properties', ''),
    strict,
  ).execute()
  await db.schema.createIndex('midjourneys_user').on('midjourneys').columns(['user_id', 'submit_time']).execute()
  await db.schema.createIndex('midjourneys_task').on('midjourneys').column('mj_id').execute()
  await build(
    db.schema.createTable('tasks'),
    id,
    whole('created_at'),
    whole('updated_at'),
    text('task_id', ''),
    text('platform', ''),
    whole('user_id'),
    whole('channel_id', 0),
    whole('quota', 0),
    ...['action', 'status', 'fail_reason'].map((name) => text(name, '')),
    ...['submit_time', 'start_time', 'finish_time'].map((name) => whole(name, 0)),
    ...['progress', 'properties', 'data'].map((name) => text(name, '')),
    strict,
  ).execute()
  await db.schema.createIndex('tasks_user').on('tasks').columns(['user_id', 'submit_time']).execute()
  await db.schema.createIndex('tasks_task').on('tasks').column('task_id').execute()
  await build(
    db.schema.createTable('quota_data'),
    id,
    whole('user_id'),
    text('username', ''),
    text('model_name', ''),
    whole('created_at'),
    whole('token_used', 0),
    whole('count', 0),
    whole('quota', 0),
    (table) =>
      table.addUniqueConstraint('quota_data_hour', ['user_id', 'username', 'model_name', 'created_at'] as never),
    strict,
  ).execute()
  await db.schema.createIndex('quota_data_time').on('quota_data').column('created_at').execute()
}

async function housekeeping(db: Older, dialect: SqlDialect): Promise<void> {
  const { whole, text, strict } = columnsFor(dialect)
  await build(
    db.schema.createTable('setups'),
    whole('id', undefined, (column) => column.primaryKey().check(sql`id = 1`)),
    text('version'),
    whole('initialized_at'),
    strict,
  ).execute()
  await build(
    db.schema.createTable('locks'),
    text('name', undefined, (column) => column.primaryKey()),
    text('owner'),
    whole('until'),
    strict,
  ).execute()
}
