import { sql } from 'kysely'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { publicStatus, status } from '../../../shared/api/status.ts'
import type { OptionKey } from '../../../shared/options/index.ts'
import type { Setup } from '../../accounts/login/setup.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { serve } from '../serve.ts'

type StatusDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get' | 'published'>
  setup: Pick<Setup, 'isDone'>
  clock: Clock
  version: string
  /** Unix seconds. */
  startTime: number
  /** Open connections of the HTTP server. */
  activeConnections: () => number | Promise<number>
}>

const PING_EVERY_MS = 10_000
const payment: readonly OptionKey[] = ['PayAddress', 'EpayId', 'EpayKey']

/** Public information and health of this gateway (docs/reference/api.md#status, docs/reference/api.md#calls). */
export function statusApi(deps: StatusDeps) {
  const { settings, activeConnections } = deps
  const ping = createHealthCheck(deps)
  return serve(status, {
    read: () => statusOf(deps),
    test: async () => {
      await ping()
      return { data: null, extras: { http_stats: { active_connections: await activeConnections() } } }
    },
    notice: () => settings.get('Notice'),
    about: () => settings.get('About'),
    home: () => settings.get('HomePageContent'),
  })
}

/** From memory only. Charges are always written in batches, so there is no batch mode to announce. */
const statusOf = ({ settings, setup, version, startTime }: StatusDeps): ApiAnswer<typeof status.read> =>
  publicStatus.parse({
    ...settings.published(),
    version,
    start_time: startTime,
    setup: setup.isDone(),
    enable_online_topup: payment.every((key) => settings.get(key) !== ''),
    enable_batch_update: false,
    chat_link2: '',
  })

/** Queries the database as a health check, at most every ten seconds; throws `unavailable` if it fails. */
function createHealthCheck({ db, clock }: StatusDeps): () => Promise<void> {
  let pingedAt = Number.NEGATIVE_INFINITY
  let last: Promise<unknown> = Promise.resolve()
  return async () => {
    if (clock.monotonic() - pingedAt >= PING_EVERY_MS) {
      pingedAt = clock.monotonic()
      last = sql`select 1`.execute(db)
      last.catch(() => undefined)
    }
    await last.catch((cause: unknown) => {
      throw refuse('unavailable', 'db.error', {}, { cause })
    })
  }
}
