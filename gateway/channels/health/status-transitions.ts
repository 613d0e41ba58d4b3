import { channelStatus } from '../../../shared/enums.ts'
import { channelKeyStore } from '../../store/channels/channel-keys.ts'
import { type ChannelPatch, channelStore } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type ActiveChannel, objectOf } from '../registry/active-channel.ts'

/**
 * A status change by the system. `name` is the channel's, undefined if nothing changed (of several concurrent attempts,
 * one succeeds). `key` is the position of a key.
 */
export type StatusTransition = Readonly<{
  name: string | undefined
  reason: string
  switched?: 'enabled' | 'disabled'
  key?: number
}>

const ALL_KEYS_OFF = 'all keys are disabled'

/** Disables an enabled channel; `now` is unix seconds. */
export async function switchedOff(transaction: Db, id: number, reason: string, now: number): Promise<StatusTransition> {
  const row = await channelStore(transaction).byId(id)
  if (!row) return { name: undefined, reason }
  const changes = { status: channelStatus.autoDisabled, other_info: withReason(row.other_info, reason, now) }
  return { name: await transitioned(transaction, id, channelStatus.enabled, changes), reason, switched: 'disabled' }
}

/**
 * Enables a channel the system had disabled. `keys` is the number of its keys: if all of them are off, re-enables those
 * the system had disabled.
 */
export async function switchedOn(transaction: Db, id: number, keys: number): Promise<StatusTransition> {
  const row = await channelStore(transaction).byId(id)
  if (!row) return { name: undefined, reason: '' }
  const changes = { status: channelStatus.enabled, other_info: withoutReason(row.other_info) }
  const name = await transitioned(transaction, id, channelStatus.autoDisabled, changes)
  if (name !== undefined) await reviveKeys(transaction, id, keys)
  return { name, reason: '', switched: 'enabled' }
}

/** If all keys of a re-enabled channel are off, re-enables those the system had disabled. */
export async function reviveKeys(transaction: Db, id: number, keys: number): Promise<void> {
  if (keys > 0 && (await channelKeyStore(transaction).offCount(id)) >= keys)
    await channelKeyStore(transaction).removeOf([id], channelStatus.autoDisabled)
}

/** Disables the key of a pool channel, and the channel too if it was the last key on. */
export async function keySwitchedOff(
  transaction: Db,
  { id, keyId, keyPosition, keyCount }: ActiveChannel,
  reason: string,
  now: number,
): Promise<StatusTransition> {
  const row = await channelStore(transaction).byId(id)
  const off = { channel_id: id, key_id: keyId, status: channelStatus.autoDisabled, reason, status_time: now }
  if (!row || !(await channelKeyStore(transaction).add(off))) return { name: undefined, reason }
  const transition = { name: row.name, reason, key: keyPosition }
  if ((await channelKeyStore(transaction).offCount(id)) < keyCount) return transition
  const { name } = await switchedOff(transaction, id, `${ALL_KEYS_OFF}; the last one: ${reason}`, now)
  return name === undefined ? transition : { ...transition, switched: 'disabled' }
}

export async function keySwitchedOn(transaction: Db, { id, keyId, name }: ActiveChannel): Promise<StatusTransition> {
  const isBack = await channelKeyStore(transaction).remove(id, keyId, channelStatus.autoDisabled)
  return { name: isBack ? name : undefined, reason: '' }
}

/** Changes the status only from `from`; returns the channel's name, or undefined if it had another status. */
async function transitioned(transaction: Db, id: number, from: number, changes: ChannelPatch & { status: number }) {
  if (!(await channelStore(transaction).switchStatus(id, from, changes))) return undefined
  return (await channelStore(transaction).byId(id))?.name
}

/** Why the system disabled the channel; empty if it did not. */
export function reasonIn(otherInfo: string): string {
  const reason = objectOf(otherInfo)?.status_reason
  return typeof reason === 'string' ? reason : ''
}

/** Adds to `other_info` why and when (unix seconds) the system disabled the channel. */
const withReason = (otherInfo: string, reason: string, atSeconds: number): string =>
  JSON.stringify({ ...objectOf(otherInfo), status_reason: reason, status_time: atSeconds })

export function withoutReason(otherInfo: string): string {
  const { status_reason: _reason, status_time: _time, ...rest } = objectOf(otherInfo) ?? {}
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
}
