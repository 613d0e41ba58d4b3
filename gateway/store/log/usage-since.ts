import { logType } from '../../../shared/enums.ts'
import type { Db } from '../sqlite/database.ts'

/** Usage and errors since a time. `isPartial` if only the newest rows were counted. */
type UsageSince = Readonly<{
  requests: number
  errors: number
  quota: number
  tokens: number
  isPartial: boolean
}>

/** Max rows counted, the newest first. */
const MAX_ROWS_SINCE = 50_000

/** Adds up the log since `since` (unix seconds), for one account or for all. Call it on the reader's thread. */
export async function usageSince(db: Db, since: number, userId: number | undefined): Promise<UsageSince> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('logs')
        .select(['type', 'quota', 'prompt_tokens', 'completion_tokens'])
        .where('created_at', '>=', since)
        .where('type', 'in', [logType.consume, logType.error])
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
        .orderBy('created_at', 'desc')
        .limit(MAX_ROWS_SINCE + 1)
        .as('recent'),
    )
    .select(({ fn }) => [
      'type',
      fn.countAll<number>().as('n'),
      fn.sum<number | null>('quota').as('quota'),
      fn.sum<number | null>('prompt_tokens').as('prompt'),
      fn.sum<number | null>('completion_tokens').as('completion'),
    ])
    .groupBy('type')
    .execute()
  const of = (type: number) => rows.find((row) => row.type === type)
  const used = of(logType.consume)
  const counted = rows.reduce((sum, { n }) => sum + Number(n), 0)
  return {
    requests: Number(used?.n ?? 0),
    errors: Number(of(logType.error)?.n ?? 0),
    quota: Number(used?.quota ?? 0),
    tokens: Number(used?.prompt ?? 0) + Number(used?.completion ?? 0),
    isPartial: counted > MAX_ROWS_SINCE,
  }
}
