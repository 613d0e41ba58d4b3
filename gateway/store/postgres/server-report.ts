import { silentLogger } from '../../base/log/logger.ts'
import { SEALED, sealedColumns } from '../sealed-values.ts'
import { type Connections, openConnections } from './connections.ts'

/** `now` is the server's clock, in unix seconds. */
type ServerReport = Readonly<{
  version: string
  roundTripMs: number
  now: number
  settings: Readonly<Record<string, string>>
  freeConnections: number
  /** Ids of the data keys that have sealed data. */
  sealingKeys: readonly string[]
}>

const SETTINGS = ['server_version', 'fsync', 'synchronous_commit', 'max_connections']
const REPORT = `select extract(epoch from clock_timestamp())::float8 as now,
  (select json_object_agg(name, setting) from pg_settings where name = any($1)) as settings,
  (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`

/** Reads the properties of a server that a gateway depends on. Rejects if the server does not respond. */
export async function readServerReport(url: string): Promise<ServerReport> {
  const connections = openConnections({ url, max: 1, statementMs: 0 }, silentLogger)
  type Row = { now: number; settings: Record<string, string>; used: number }
  try {
    await connections.named<Row>('report', REPORT, [SETTINGS])
    const started = performance.now()
    const [row] = await connections.named<Row>('report', REPORT, [SETTINGS])
    if (!row) throw new Error('the server returned nothing')
    const { now, settings, used } = row
    const [version = ''] = (settings.server_version ?? '').split(' ')
    const freeConnections = Number(settings.max_connections) - used
    const roundTripMs = performance.now() - started
    return { version, roundTripMs, now, settings, freeConnections, sealingKeys: await sealingKeysIn(connections) }
  } finally {
    await connections.end()
  }
}

/** Returns the ids of the data keys that have sealed data. Skips missing tables, since the database may be empty. */
async function sealingKeysIn({ run }: Connections): Promise<string[]> {
  const ids = new Set<string>()
  for (const { table, column } of sealedColumns) {
    const [found] = await run<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
    if (!found?.exists) continue
    const text = `select distinct substr("${column}", 4, 8) as id from "${table}" where "${column}" like $1`
    for (const { id } of await run<{ id: string }>(text, [SEALED])) ids.add(id)
  }
  return [...ids].sort()
}
