import { sql } from 'kysely'
import type { MinuteUsage, UsageMinutes } from '../../../shared/api/data.ts'
import { logType } from '../../../shared/enums.ts'
import type { Db } from '../sqlite/database.ts'

/** Max rows read, the newest first: a query over this many takes about a third of a second. */
const MAX_ROWS = 500_000
const MINUTE_S = 60

/**
 * Charged and failed requests in the log by minute and model, of one user or all, between two unix seconds, both
 * inclusive; only the newest complete minutes if there are too many. Call it on the reader's thread.
 */
export async function usageMinutes(
  db: Db,
  { from, to }: Readonly<{ from: number; to: number }>,
  userId: number | undefined,
  max = MAX_ROWS,
): Promise<UsageMinutes> {
  const recent = db
    .selectFrom('logs')
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .where('type', 'in', [logType.consume, logType.error])
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .orderBy('created_at', 'desc')
  const excess = await recent.select('created_at').offset(max).limit(1).executeTakeFirst()
  const first = excess ? (Math.floor(Number(excess.created_at) / MINUTE_S) + 1) * MINUTE_S : from
  const rows = await recent
    .where('created_at', '>=', first)
    .clearOrderBy()
    .select(({ fn }) => [
      sql<number>`created_at - created_at % ${MINUTE_S}`.as('minute'),
      'model_name',
      'type',
      fn.countAll<number>().as('n'),
      fn.sum<number>('quota').as('quota'),
      fn.sum<number>('prompt_tokens').as('prompt'),
      fn.sum<number>('completion_tokens').as('completion'),
    ])
    .groupBy(['minute', 'model_name', 'type'])
    .orderBy('minute')
    .execute()
  return { from: first, rows: rows.map(usageOf) }
}

type CountedMinute = Readonly<
  Record<'minute' | 'type' | 'n' | 'quota' | 'prompt' | 'completion', number> & { model_name: string }
>

function usageOf({ minute, model_name, type, n, quota, prompt, completion }: CountedMinute): MinuteUsage {
  const isFailed = Number(type) === logType.error
  return {
    created_at: Number(minute),
    model_name,
    count: isFailed ? 0 : Number(n),
    errors: isFailed ? Number(n) : 0,
    quota: Number(quota),
    token_used: Number(prompt) + Number(completion),
  }
}
