import { sql } from 'kysely'
import type { Older } from '../column.ts'

/**
 * Creates the state that nodes on PostgreSQL share (gateway/shared-state): changes that other nodes must read, and
 * values that expire. Triggers record the changes, so that a change is recorded if and only if its row is written.
 */
export async function createSharedState(db: Older): Promise<void> {
  for (const statement of [...TABLES, ...followed.flatMap(triggersOf)]) await sql.raw(statement).execute(db)
}

/**
 * `node` is the node that published the change itself, which need not read it; empty for changes that triggers record.
 */
const TABLES = [
  `create table changes (id bigint primary key generated always as identity,
    xid xid8 not null default pg_current_xact_id(), topic text not null, name text not null,
    node text not null default '', at timestamptz not null default clock_timestamp())`,
  'create index changes_xid on changes (xid)',
  `create table ephemeral (kind text, key text, value text not null, tries float8 not null, until timestamptz not null,
    primary key (kind, key))`,
  'create index ephemeral_oldest on ephemeral (kind, until)',
]

type Followed = Readonly<{
  table: string
  topic: string
  /** SQL for the name under which a changed row is recorded; `r` is that row. */
  name: string
  /** Columns that nodes cache; a change of any other column is not recorded. */
  columns: readonly string[]
}>

const LIMITS = [
  ...['requests_per_minute', 'tokens_per_minute', 'budget_minute', 'budget_five_hours', 'budget_day', 'budget_week'],
  ...['budget_month', 'budget_warn_percent', 'budget_time_zone'],
]

const followed: readonly Followed[] = [
  {
    table: 'users',
    topic: 'users',
    name: 'r.id',
    columns: ['username', 'role', 'status', 'group', 'setting', 'deleted_at'],
  },
  {
    table: 'tokens',
    topic: 'tokens',
    name: 'r.key_hash',
    columns: [
      ...['key_hash', 'user_id', 'status', 'name', 'expired_time', 'unlimited_quota', 'model_limits_enabled'],
      ...['model_limits', 'allow_ips', 'group', 'deleted_at', 'response_cache', 'keep_bodies', 'is_guest'],
      ...LIMITS,
    ],
  },
  // Whether the token has a limit: nodes with a slice of it must lease again.
  { table: 'tokens', topic: 'limits', name: 'r.id', columns: ['unlimited_quota'] },
  {
    table: 'channels',
    topic: 'channels',
    name: 'r.id',
    columns: [
      ...['type', 'key', 'openai_organization', 'test_model', 'status', 'name', 'weight', 'base_url', 'other'],
      ...['models', 'group', 'model_mapping', 'max_input_tokens', 'status_code_mapping', 'priority', 'auto_ban'],
      ...['other_info', 'tag', 'setting', 'param_override'],
    ],
  },
  { table: 'channel_keys', topic: 'channels', name: 'r.channel_id', columns: ['channel_id', 'key_id', 'status'] },
  { table: 'options', topic: 'options', name: 'r.key', columns: ['key', 'value'] },
  { table: 'setups', topic: 'setup', name: `''`, columns: ['id'] },
]

/** An update records the names of the row before and after it, or one name if both are equal. */
function triggersOf({ table, topic, name, columns }: Followed): readonly string[] {
  const own = `${table}_${topic}`
  const of = (row: string) => `(${name.replace('r.', `${row}.`)})::text`
  const list = columns.map((column) => `"${column}"`)
  const values = (row: string) => list.map((column) => `${row}.${column}`).join(', ')
  const body = (rows: string) => `returns trigger language plpgsql as $$
  begin
    insert into changes (topic, name) ${rows};
    return null;
  end $$`
  const call = (suffix: string) => `for each row execute function ${own}_${suffix}()`
  return [
    `create function ${own}_new() ${body(`values ('${topic}', ${of('new')})`)}`,
    `create function ${own}_old() ${body(`values ('${topic}', ${of('old')})`)}`,
    `create function ${own}_both() ${body(`select '${topic}', ${of('old')} union select '${topic}', ${of('new')}`)}`,
    `create trigger ${own}_insert after insert on ${table} ${call('new')}`,
    `create trigger ${own}_delete after delete on ${table} ${call('old')}`,
    `create trigger ${own}_update after update of ${list.join(', ')} on ${table} for each row
      when ((${values('old')}) is distinct from (${values('new')})) execute function ${own}_both()`,
  ]
}
