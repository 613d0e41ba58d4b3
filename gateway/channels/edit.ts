import type { ChannelChange, NewChannel } from '../../shared/api/channel.ts'
import { UnreadableSecret, type Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { abilityStore } from '../store/abilities.ts'
import { channelKeyStore } from '../store/channel-keys.ts'
import { type ChannelPatch, channelStore, type VisibleChannel } from '../store/channels.ts'
import type { Db } from '../store/database.ts'
import type { ChannelRow } from '../store/schema.ts'
import { upstreamSeenStore } from '../store/upstream-seen.ts'
import { abilityRowsOf } from './ability-rows.ts'
import { keyPlace } from './active-channel.ts'
import { checkTogether, givenColumns } from './field-rules.ts'
import { keyIdOf, keysFrom, keysTogether } from './keys.ts'
import type { Roster } from './roster.ts'
import { withoutReason } from './status-reason.ts'
import { reviveKeys } from './switching.ts'
import { writeOver } from './write.ts'

/** Writes channels (spec/console.md §4.4.3-7): each verb is one transaction, and routing follows before it answers. */
export interface ChannelEditor {
  /** One channel for each key; `copy_from` takes over the key and every field left out. */
  create(ask: NewChannel): Promise<void>
  /** Writes the fields that are present; an empty key keeps the stored one. */
  update(change: ChannelChange): Promise<VisibleChannel>
  remove(id: number): Promise<void>
  /** Answers how many there really were. */
  removeMany(ids: readonly number[]): Promise<number>
  /** Removes the channels disabled by hand or by the system; answers how many. */
  removeDisabled(): Promise<number>
  /** Builds every ability anew from its channel; answers the number of channels. */
  fix(): Promise<number>
}

export type EditorDeps = Readonly<{ db: Db; vault: Vault; roster: Roster; clock: Clock }>

const OPENAI = 1

/** What a new channel is where the request does not say (spec/console.md §4.4.3). */
const blank: Omit<ChannelRow, 'id' | keyof ReturnType<typeof untouched>> = {
  type: OPENAI,
  name: '',
  status: 1,
  other_info: '',
  models: '',
  group: 'default',
  base_url: '',
  other: '',
  openai_organization: '',
  test_model: '',
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  param_override: '',
  max_input_tokens: 0,
  priority: 0,
  weight: 0,
  auto_ban: 1,
  tag: null,
}

/** The verbs over one database and the roster that follows it. */
export function createEditor({ db, vault, roster, clock }: EditorDeps): ChannelEditor {
  const write = writeOver({ db, roster })
  const removeMany = (ids: readonly number[]) => write((transaction) => removed(transaction, ids))
  return {
    create: ({ copy_from, key = '', key_mode = 'split', ...fields }) =>
      write(async (transaction) => {
        const source = copy_from === undefined ? undefined : await found(transaction, copy_from)
        const row = newRow(fields, source, key.trim() !== '', unixSeconds(clock))
        const keys = keysFrom(row.type, key)
        const given = key_mode === 'pool' && keys.length > 1 ? [keysTogether(row.type, keys)] : keys
        const own = keys.length === 0 && source ? [openedKey(source, vault)] : given
        if (own.length === 0) throw refuse('invalid', 'channel.required')
        for (const one of own) await inserted(transaction, row, one, vault)
      }),
    update: ({ id, key, key_mode, status, ...fields }) =>
      write(async (transaction) => {
        const row = await found(transaction, id)
        const changes = {
          ...givenColumns(fields),
          ...keyChange(row, { type: fields.type, key, isPool: key_mode === 'pool' || isPool(roster, id) }, vault),
          ...statusChange(row, status),
        }
        await changed(transaction, row, changes)
        if (key?.trim()) await forgetOtherKeys(transaction, id, fields.type ?? row.type, key)
        if (row.status !== 1 && changes.status === 1) await reviveKeys(transaction, id, keyCount(roster, id))
        return found(transaction, id).then(withoutKey)
      }),
    async remove(id) {
      if ((await removeMany([id])) === 0) throw refuse('missing', 'channel.not_found')
    },
    removeMany,
    removeDisabled: () =>
      write(async (transaction) => {
        const rows = await channelStore(transaction).byStatus([2, 3])
        return removed(
          transaction,
          rows.map(({ id }) => id),
        )
      }),
    fix: () =>
      write(async (transaction) => {
        const rows = await channelStore(transaction).all()
        await abilityStore(transaction).clear()
        await abilityStore(transaction).add(rows.flatMap(abilityRowsOf))
        return rows.length
      }),
  }
}

/** What no channel takes over from another one. */
const untouched = (now: number) => ({
  key: '',
  created_time: now,
  used_quota: 0,
  balance: 0,
  balance_updated_time: 0,
  test_time: 0,
  response_time: 0,
})

/** The row of a new channel: the source's columns or the blank ones, then what the request gives. */
function newRow(
  fields: Omit<NewChannel, 'copy_from' | 'key' | 'key_mode'>,
  source: ChannelRow | undefined,
  hasKey: boolean,
  now: number,
): Omit<ChannelRow, 'id'> {
  const copied = source ? withoutId(source) : blank
  const revived = hasKey ? { status: 1, other_info: '' } : {}
  const row = { ...copied, ...revived, ...givenColumns(fields), ...untouched(now) }
  if (row.name === '') throw refuse('invalid', 'channel.required')
  if (row.models === '') throw refuse('invalid', 'channel.models')
  checkTogether(row)
  return row
}

/** The key is sealed to the row's id, so it is written once the id is known. */
async function inserted(transaction: Db, row: Omit<ChannelRow, 'id'>, key: string, vault: Vault): Promise<void> {
  const channels = channelStore(transaction)
  const id = await channels.insert(row)
  await channels.update([id], { key: vault.seal(key, keyPlace(id)) })
  await abilityStore(transaction).add(abilityRowsOf(await found(transaction, id)))
}

/** Abilities are built anew when models or groups changed; else their rows only take over what they repeat. */
async function changed(transaction: Db, row: ChannelRow, changes: ChannelPatch): Promise<void> {
  const next = { ...row, ...changes }
  if (changes.type !== undefined || changes.other !== undefined || changes.base_url !== undefined) checkTogether(next)
  await channelStore(transaction).update([row.id], changes)
  const abilities = abilityStore(transaction)
  if (next.models === row.models && next.group === row.group) {
    const { priority, weight, tag } = next
    await abilities.patch([row.id], { enabled: Number(next.status === 1), priority, weight, tag })
    return
  }
  await abilities.removeOf([row.id])
  await abilities.add(abilityRowsOf(next))
}

/** What refers to the channels goes with them, so that no orphan stays behind (spec/console.md §11 S25). */
async function removed(transaction: Db, ids: readonly number[]): Promise<number> {
  await abilityStore(transaction).removeOf(ids)
  await upstreamSeenStore(transaction).removeOf(ids)
  await channelKeyStore(transaction).removeOf(ids)
  return channelStore(transaction).remove(ids)
}

async function found(db: Db, id: number): Promise<ChannelRow> {
  const row = await channelStore(db).byId(id)
  if (!row) throw refuse('missing', 'channel.not_found')
  return row
}

function withoutId({ id: _id, ...rest }: ChannelRow): Omit<ChannelRow, 'id'> {
  return rest
}

function withoutKey({ key: _key, ...visible }: ChannelRow): VisibleChannel {
  return visible
}

/** A copy needs the key itself: it is sealed anew to the copy's own place. */
function openedKey(source: ChannelRow, vault: Vault): string {
  try {
    return vault.open(source.key, keyPlace(source.id))
  } catch (cause) {
    if (cause instanceof UnreadableSecret) throw refuse('invalid', 'channel.copy_fail', {}, { cause })
    throw cause
  }
}

type KeyAsk = Readonly<{ type: number | undefined; key: string | undefined; isPool: boolean }>

/**
 * Empty keeps the stored keys, written as a new type has them. Several take the place of all where the channel has
 * several, or is to have them.
 */
function keyChange(row: ChannelRow, { type = row.type, key = '', isPool }: KeyAsk, vault: Vault): ChannelPatch {
  const keys = keysFrom(type, key)
  if (keys.length === 0) {
    if (type === row.type || !isPool) return {}
    const own = keysFrom(row.type, vault.open(row.key, keyPlace(row.id)))
    return { key: vault.seal(keysTogether(type, own), keyPlace(row.id)) }
  }
  if (keys.length > 1 && !isPool) throw refuse('invalid', 'input.invalid', { reason: 'key: one line' })
  return { key: vault.seal(keysTogether(type, keys), keyPlace(row.id)) }
}

const keyCount = (roster: Roster, id: number): number => roster.channel(id)?.pool.length ?? 0
const isPool = (roster: Roster, id: number): boolean => keyCount(roster, id) > 0

/** What is known of keys that are gone goes with them. */
const forgetOtherKeys = (transaction: Db, id: number, type: number, key: string) =>
  channelKeyStore(transaction).keepOnly(id, keysFrom(type, key).map(keyIdOf))

/** A person may switch a channel on or off; a status that is sent back as it is changes nothing. */
function statusChange(row: ChannelRow, status: number | undefined): ChannelPatch {
  if (status === undefined || status === row.status) return {}
  if (status === 1) return { status, other_info: withoutReason(row.other_info) }
  if (status === 2) return { status }
  throw refuse('invalid', 'input.invalid', { reason: 'status: 1 or 2' })
}
