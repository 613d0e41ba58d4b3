import type { ManyChange } from '../../../shared/api/channel-many.ts'
import { channelStatus, channelStatusLabel, logType } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { type ChannelPatch, channelStore } from '../../store/channels/channels.ts'
import { addAuditRows } from '../../store/log/audit-rows.ts'
import type { ChannelRow, NewLog } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Cooldowns } from '../health/cooldowns.ts'
import { reviveKeys, withoutReason } from '../health/status-transitions.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { writeOver } from '../registry/write-channels.ts'

type Changer = Readonly<{ id: number; username: string; locale: Locale }>

/**
 * Sets the status, priority or weight of several channels (docs/reference/channels.md#writing) in one transaction, with
 * a log row per channel. Returns how many channels were found.
 */
export type ChangeMany = (change: ManyChange, changer: Changer) => Promise<number>

type Deps = Readonly<{ db: Db; registry: ChannelRegistry; clock: Clock; cooldowns: Pick<Cooldowns, 'clear'> }>

/** A manual change ends the cooldowns of the channels. */
export function createChangeMany({ db, registry, clock, cooldowns }: Deps): ChangeMany {
  const writeChannels = writeOver({ db, registry })
  return async ({ ids, ...fields }, changer) => {
    const changed = await writeChannels(async (transaction) => {
      const rows = await channelStore(transaction).byIds([...new Set(ids)])
      const found = rows.map(({ id }) => id)
      await channelStore(transaction).update(found, patchOf(fields))
      if (fields.status === channelStatus.enabled) {
        for (const row of rows) await revive(transaction, row, registry.channel(row.id)?.pool.length ?? 0)
      }
      const at = unixSeconds(clock)
      await addAuditRows(
        transaction,
        rows.map((row) => auditRow(row, fields, changer, at)),
      )
      return { ids: found, answer: found }
    })
    for (const id of changed) cooldowns.clear(id)
    return changed.length
  }
}

type Fields = Omit<ManyChange, 'ids'>

function auditRow({ id, name }: ChannelRow, fields: Fields, { locale, ...actor }: Changer, at: number): NewLog {
  const { status, priority, weight } = fields
  const changes = [
    ...(status === undefined ? [] : [formatMessage(locale, channelStatusLabel(status))]),
    ...(priority === undefined ? [] : [`${formatMessage(locale, 'label.priority')} ${priority}`]),
    ...(weight === undefined ? [] : [`${formatMessage(locale, 'label.weight')} ${weight}`]),
  ].join(', ')
  return {
    user_id: 0,
    created_at: at,
    type: logType.manage,
    channel_id: id,
    content: formatMessage(locale, 'log.channel', { actor: actor.username, id, name, changes }),
    other: JSON.stringify({
      admin_info: { channel: { id, ...fields }, actor: { id: actor.id, username: actor.username } },
    }),
  }
}

const patchOf = ({ status, priority, weight }: Fields): ChannelPatch => ({
  ...(status === undefined ? {} : { status }),
  ...(priority === undefined ? {} : { priority }),
  ...(weight === undefined ? {} : { weight }),
})

/**
 * Clears the reason why the system disabled a channel, now that a user has enabled it. If all keys are off, re-enables
 * those the system had disabled. Does nothing if the channel was enabled already.
 */
async function revive(transaction: Db, { id, status, other_info }: ChannelRow, keys: number): Promise<void> {
  if (status === channelStatus.enabled) return
  if (other_info !== '') await channelStore(transaction).update([id], { other_info: withoutReason(other_info) })
  await reviveKeys(transaction, id, keys)
}
