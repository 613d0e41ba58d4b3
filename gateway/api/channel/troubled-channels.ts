import type { DashboardLive, TroubledChannel } from '../../../shared/api/data.ts'
import { channelStatus } from '../../../shared/enums.ts'
import type { Channels } from '../../channels/channels.ts'
import { reasonIn } from '../../channels/health/status-transitions.ts'
import type { Db } from '../../store/sqlite/database.ts'

type Deps = Readonly<{ db: Db; channels: Pick<Channels, 'registry' | 'cooldowns' | 'failing'> }>

const MAX_LISTED = 5
const order: readonly TroubledChannel['state'][] = ['auto_disabled', 'failing', 'failed', 'limited', 'disabled']

/**
 * Counts the channels, and returns the first five that are disabled, cooling down or failing, with the reasons; those
 * disabled by the system come first.
 */
export async function troubledChannels({ db, channels }: Deps): Promise<DashboardLive['channels']> {
  const { registry, cooldowns } = channels
  const all = [...registry.all()]
  const off = all.flatMap(({ id, name, status }) => (status === channelStatus.enabled ? [] : [{ id, name, status }]))
  const known = new Set(off.map(({ id }) => id))
  const troubled: TroubledChannel[] = off.map(({ id, name, status }) => ({
    id,
    name,
    state: status === channelStatus.autoDisabled ? 'auto_disabled' : 'disabled',
    reason: '',
    seconds: 0,
  }))
  for (const { channelId: id, kind: state, message: reason, seconds } of cooldowns.list()) {
    const channel = registry.channel(id)
    if (!channel || known.has(id)) continue
    known.add(id)
    troubled.push({ id, name: channel.name, state, reason, seconds: Math.ceil(seconds) })
  }
  for (const [id, reason] of await channels.failing()) {
    const name = registry.channel(id)?.name
    if (name !== undefined && !known.has(id)) troubled.push({ id, name, state: 'failed', reason, seconds: 0 })
  }
  const first = troubled.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state)).slice(0, MAX_LISTED)
  return {
    total: all.length,
    enabled: all.length - off.length,
    troubled: troubled.length,
    first: await withReasons(db, first),
  }
}

async function withReasons(db: Db, rows: readonly TroubledChannel[]): Promise<TroubledChannel[]> {
  const ids = rows.filter(({ state }) => state === 'auto_disabled').map(({ id }) => id)
  if (ids.length === 0) return [...rows]
  const found = await db.selectFrom('channels').select(['id', 'other_info']).where('id', 'in', ids).execute()
  const reasons = new Map(found.map(({ id, other_info }) => [id, reasonIn(other_info)]))
  return rows.map((row) => ({ ...row, reason: reasons.get(row.id) ?? row.reason }))
}
