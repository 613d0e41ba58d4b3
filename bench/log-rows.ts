import { join } from 'node:path'
import Database from 'better-sqlite3'

/** The rows are spread over this many days before the newest: a million over thirty days. */
const DAYS = 30

/**
 * Writes `count` rows into the log in this data folder, in one transaction on a second connection: half of them for
 * user 1, the rest for fifty users with one to four models each; thirty models, eight channels, 5 % failures.
 */
export function fillLog(folder: string, count: number, nowSeconds: number): void {
  const database = new Database(join(folder, 'switchyard.db'), { fileMustExist: true })
  database.pragma('busy_timeout = 10000')
  database
    .prepare(
      `insert into logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
         completion_tokens, use_time, is_stream, retries, channel_id, token_id, "group", ip, other, request_id)
       with recursive
         n(i) as (select 1 union all select i + 1 from n where i < @count),
         r(i, a, b, c) as (select i, abs(random()) % 1000000, abs(random()) % 1000000, abs(random()) % 1000000 from n)
       select
         iif(a % 2, 1, 1000 + a / 2 % 50),
         cast(@from + i * @seconds / @count as integer),
         iif(b % 20, 2, 5),
         iif(b % 20, 'model ratio 1.25, completion ratio 4, group ratio 1', 'upstream answered 429: rate limit reached'),
         iif(a % 2, 'bench', 'person-' || (a / 2 % 50)),
         'token-' || (b / 20 % 3),
         'vendor/model-' || iif(a % 2, c % 30, (a / 2 % 50 + c % (1 + a / 2 % 4)) % 30),
         iif(b % 20, c % 20000, 0), iif(b % 20, c % 9000, 0), iif(b % 20, b % 900, 0), b % 50, b % 2, iif(c % 1000, 0, 1),
         1 + c / 30 % 8, 1 + b / 20 % 3, iif(a % 7, 'default', 'vip'), '', @receipt, strftime('%Y%m%d%H%M%S', cast(@from + i * @seconds / @count as integer), 'unixepoch', 'localtime')
           || printf('%017d', i)
       from r`,
    )
    .run({ count, from: nowSeconds - DAYS * 86_400, seconds: DAYS * 86_400, receipt: JSON.stringify(receipt) })
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** As long as a typical request's receipt. */
const receipt = {
  request_id: '0'.repeat(32),
  frt: 412,
  model_ratio: 1.25,
  completion_ratio: 4,
  group_ratio: 1,
  model_price: -1,
  cache_tokens: 0,
  cache_ratio: 0.5,
  usage_source: 'upstream',
  ended: 'complete',
  lines: [
    { kind: 'prompt', tokens: 1200, ratio: 1, weighted: '1200' },
    { kind: 'completion', tokens: 340, ratio: 4, weighted: '1360' },
  ],
  exact: '3200',
  admin_info: { use_channel: ['1'], tried: [{ channel: 1, status: 200 }], skipped: [] },
}
