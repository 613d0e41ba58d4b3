import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import Database from 'better-sqlite3'

type Cell = string | number | null
/** Rows by table; omitted columns have the sibling's own defaults. */
export type SiblingRows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>

/** The password of every user of a sibling, and its hash as a sibling stores it. */
export const SIBLING_PASSWORD = 'their-password'
export const SIBLING_HASH = hashSync(SIBLING_PASSWORD, 5)

const deletable = 'deleted_at datetime'
/** The columns of a new-api database, as that program creates them. */
const newApi: Readonly<Record<string, string>> = {
  abilities:
    '"group" varchar(64), model varchar(255), channel_id INTEGER, enabled numeric, priority INTEGER, weight INTEGER, tag TEXT',
  channels:
    'id INTEGER PRIMARY KEY AUTOINCREMENT, type INTEGER DEFAULT 0, key TEXT NOT NULL, open_ai_organization TEXT, test_model TEXT, status INTEGER DEFAULT 1, name TEXT, weight INTEGER DEFAULT 0, created_time INTEGER, test_time INTEGER, response_time INTEGER, base_url TEXT DEFAULT "", other TEXT, balance REAL, balance_updated_time INTEGER, models TEXT, "group" varchar(64) DEFAULT "default", used_quota INTEGER DEFAULT 0, model_mapping TEXT, status_code_mapping varchar(1024) DEFAULT "", priority INTEGER DEFAULT 0, auto_ban INTEGER DEFAULT 1, other_info TEXT, tag TEXT, setting TEXT, param_override TEXT',
  logs: 'id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER, created_at INTEGER, type INTEGER, content TEXT, username TEXT DEFAULT "", token_name TEXT DEFAULT "", model_name TEXT DEFAULT "", quota INTEGER DEFAULT 0, prompt_tokens INTEGER DEFAULT 0, completion_tokens INTEGER DEFAULT 0, use_time INTEGER DEFAULT 0, is_stream numeric, channel_id INTEGER, channel_name TEXT, token_id INTEGER DEFAULT 0, "group" TEXT, ip TEXT DEFAULT "", other TEXT',
  midjourneys: 'id INTEGER PRIMARY KEY, code INTEGER',
  options: 'key TEXT PRIMARY KEY, value TEXT',
  quota_data: 'id INTEGER PRIMARY KEY, user_id INTEGER, quota INTEGER',
  redemptions: `id INTEGER PRIMARY KEY, user_id INTEGER, key char(32) UNIQUE, status INTEGER DEFAULT 1, name TEXT, quota INTEGER DEFAULT 100, created_time INTEGER, redeemed_time INTEGER, used_user_id INTEGER, ${deletable}, expired_time INTEGER`,
  setups: 'id INTEGER PRIMARY KEY, version varchar(50), initialized_at bigint',
  tasks: 'id INTEGER PRIMARY KEY, task_id varchar(50)',
  tokens: `id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER, key char(48) UNIQUE, status INTEGER DEFAULT 1, name TEXT, created_time INTEGER, accessed_time INTEGER, expired_time INTEGER DEFAULT -1, remain_quota INTEGER DEFAULT 0, unlimited_quota numeric, model_limits_enabled numeric, model_limits varchar(1024) DEFAULT "", allow_ips TEXT DEFAULT "", used_quota INTEGER DEFAULT 0, "group" TEXT DEFAULT "", ${deletable}`,
  top_ups:
    'id INTEGER PRIMARY KEY, user_id INTEGER, amount INTEGER, money REAL, trade_no TEXT, create_time INTEGER, status TEXT',
  users: `id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT UNIQUE, password TEXT NOT NULL, display_name TEXT, role INTEGER DEFAULT 1, status INTEGER DEFAULT 1, email TEXT, github_id TEXT, oidc_id TEXT, wechat_id TEXT, telegram_id TEXT, access_token char(32) UNIQUE, quota INTEGER DEFAULT 0, used_quota INTEGER DEFAULT 0, request_count INTEGER DEFAULT 0, "group" varchar(64) DEFAULT "default", aff_code varchar(32) UNIQUE, aff_count INTEGER DEFAULT 0, aff_quota INTEGER DEFAULT 0, aff_history INTEGER DEFAULT 0, inviter_id INTEGER, ${deletable}, linux_do_id TEXT, setting TEXT, remark varchar(255)`,
}

/** The columns of a one-api database (v0.6), likewise. */
const oneApi: Readonly<Record<string, string>> = {
  abilities: '"group" varchar(32), model TEXT, channel_id INTEGER, enabled numeric, priority bigint',
  channels:
    'id INTEGER PRIMARY KEY, type INTEGER DEFAULT 0, key TEXT, status INTEGER DEFAULT 1, name TEXT, weight INTEGER DEFAULT 0, created_time bigint, test_time bigint, response_time INTEGER, base_url TEXT DEFAULT "", other TEXT, balance REAL, balance_updated_time bigint, models TEXT, "group" varchar(32) DEFAULT "default", used_quota bigint DEFAULT 0, model_mapping varchar(1024) DEFAULT "", priority bigint DEFAULT 0, config TEXT, system_prompt TEXT',
  logs: 'id INTEGER PRIMARY KEY, user_id INTEGER, created_at bigint, type INTEGER, content TEXT, username TEXT DEFAULT "", token_name TEXT DEFAULT "", model_name TEXT DEFAULT "", quota INTEGER DEFAULT 0, prompt_tokens INTEGER DEFAULT 0, completion_tokens INTEGER DEFAULT 0, channel_id INTEGER, request_id TEXT DEFAULT "", elapsed_time INTEGER DEFAULT 0, is_stream numeric, system_prompt_reset numeric',
  options: 'key TEXT PRIMARY KEY, value TEXT',
  redemptions:
    'id INTEGER PRIMARY KEY, user_id INTEGER, key char(32) UNIQUE, status INTEGER DEFAULT 1, name TEXT, quota bigint DEFAULT 100, created_time bigint, redeemed_time bigint',
  tokens:
    'id INTEGER PRIMARY KEY, user_id INTEGER, key char(48) UNIQUE, status INTEGER DEFAULT 1, name TEXT, created_time bigint, accessed_time bigint, expired_time bigint DEFAULT -1, remain_quota bigint DEFAULT 0, unlimited_quota numeric DEFAULT 0, used_quota bigint DEFAULT 0, models TEXT, subnet TEXT DEFAULT ""',
  users:
    'id INTEGER PRIMARY KEY, username TEXT UNIQUE, password TEXT NOT NULL, display_name TEXT, role INTEGER DEFAULT 1, status INTEGER DEFAULT 1, email TEXT, github_id TEXT, wechat_id TEXT, lark_id TEXT, oidc_id TEXT, access_token char(32) UNIQUE, quota bigint DEFAULT 0, used_quota bigint DEFAULT 0, request_count INTEGER DEFAULT 0, "group" varchar(32) DEFAULT "default", aff_code varchar(32) UNIQUE, inviter_id INTEGER',
}

/** The bytes of a sibling's database with these rows; `more` may change it before it is closed. */
export async function siblingDatabase(
  family: 'new-api' | 'one-api',
  rows: SiblingRows,
  more: (database: Database.Database) => void = () => {},
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-sibling-'))
  const file = join(folder, 'theirs.db')
  const database = new Database(file)
  for (const [table, columns] of Object.entries(family === 'new-api' ? newApi : oneApi))
    database.exec(
      `create table ${table} (${columns.replaceAll('DEFAULT ""', "DEFAULT ''").replaceAll('DEFAULT "default"', "DEFAULT 'default'")})`,
    )
  database.transaction(() => {
    for (const [table, own] of Object.entries(rows)) for (const row of own) insert(database, table, row)
  })()
  more(database)
  database.close()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}

/** Inserts a row as the sibling's program would have. */
export function insert(database: Database.Database, table: string, row: Readonly<Record<string, Cell>>): void {
  const names = Object.keys(row)
  const columns = names.map((name) => `"${name}"`).join(', ')
  database
    .prepare(`insert into ${table} (${columns}) values (${names.map(() => '?').join(', ')})`)
    .run(Object.values(row))
}
