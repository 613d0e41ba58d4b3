import type { ChannelChange, NewChannel } from '../../../shared/api/channel.ts'
import { channelTypes } from '../../../shared/channel-types.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { UnreadableSecret, type Vault } from '../../base/ciphers.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { channelClientStore } from '../../store/channel-clients.ts'
import { channelKeyStore } from '../../store/channel-keys.ts'
import { type ChannelPatch, channelStore, type VisibleChannel } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { ChannelRow } from '../../store/schema.ts'
import { reviveKeys, withoutReason } from '../health/status-transitions.ts'
import { keyPlace } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { keyIdOf, keysFrom, keysTogether } from '../registry/keys.ts'
import { unmasked } from '../registry/masks.ts'
import { readableColumns, type SealedColumns, sealedIn, shownRow } from '../registry/sealed-columns.ts'
import { type Written, writeOver } from '../registry/write-channels.ts'
import { assertSecretsStayWithHost } from './destination.ts'
import { checkTogether, columnsIn } from './field-rules.ts'

/**
 * Writes channels (docs/reference/channels.md#writing): each verb is one transaction, and routing follows before it
 * answers.
 */
export interface ChannelEditor {
  /** One channel for each key, whose ids are answered; `copy_from` takes over the key, unless it would go to another host, and every field left out. */
  create(ask: NewChannel): Promise<readonly number[]>
  /** Writes the fields that are present; an empty key keeps the stored one where the channel stays with its host. */
  update(change: ChannelChange): Promise<VisibleChannel>
  remove(id: number): Promise<void>
  /** Answers how many there really were. */
  removeMany(ids: readonly number[]): Promise<number>
  /** Removes the channels disabled by hand or by the system; answers how many. */
  removeDisabled(): Promise<number>
}

type EditorDeps = Readonly<{ db: Db; vault: Vault; registry: ChannelRegistry; clock: Clock }>

/** What a new channel is where the request does not say (docs/reference/channels.md#fields). */
export const blankChannel: Omit<ChannelRow, 'id' | keyof ReturnType<typeof untouched>> = {
  type: channelTypes.openai.id,
  name: '',
  status: channelStatus.enabled,
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

/** The verbs over one database and the registry that follows it. */
export function createEditor({ db, vault, registry, clock }: EditorDeps): ChannelEditor {
  const write = writeOver({ db, registry })
  const removeMany = (ids: readonly number[]) => write((transaction) => removed(transaction, ids))
  return {
    create: ({ copy_from, key = '', key_mode = 'split', ...asked }) =>
      write(async (transaction) => {
        const sealed = copy_from === undefined ? undefined : await found(transaction, copy_from)
        const source = sealed && { ...sealed, ...readableColumns(sealed, vault) }
        const row = newRow(kept(asked, source), source, key.trim() !== '', unixSeconds(clock))
        const keys = keysFrom(row.type, key)
        if (source) assertSecretsStayWithHost(source, row, { hasKey: keys.length > 0, override: asked.param_override })
        const given = key_mode === 'pool' && keys.length > 1 ? [keysTogether(row.type, keys)] : keys
        const own = keys.length === 0 && source ? [openedKey(source, vault)] : given
        if (own.length === 0) throw refuse('invalid', 'channel.required')
        const ids: number[] = []
        for (const one of own) ids.push(await inserted(transaction, row, one, vault))
        return { ids, answer: ids }
      }),
    update: ({ id, key, key_mode, status, ...asked }) =>
      write(async (transaction) => {
        const sealed = await found(transaction, id)
        const row = { ...sealed, ...readableColumns(sealed, vault) }
        const given = columnsIn(kept(asked, row))
        const type = asked.type ?? row.type
        const hasKey = keysFrom(type, key ?? '').length > 0
        assertSecretsStayWithHost(row, { ...row, ...given }, { hasKey, override: asked.param_override })
        const changes = {
          ...given,
          ...sealedIn(given, id, vault),
          ...keyChange(row, { type, key, isPool: key_mode === 'pool' || isPool(registry, id) }, vault),
          ...statusChange(row, status),
        }
        if ('type' in given || 'other' in given || 'base_url' in given) checkTogether({ ...row, ...given })
        await channelStore(transaction).update([id], changes)
        if (key?.trim()) await forgetOtherKeys(transaction, id, type, key)
        if (row.status !== channelStatus.enabled && changes.status === channelStatus.enabled)
          await reviveKeys(transaction, id, keyCount(registry, id))
        return { ids: [id], answer: shownRow(withoutKey(await found(transaction, id)), vault) }
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
  }
}

/** A request with what is stored in the place of its masks. */
function kept<T extends Partial<Record<keyof SealedColumns, string | null | undefined>>>(
  asked: T,
  stored: SealedColumns = { setting: '', param_override: '' },
): T {
  const { setting, param_override } = asked
  return {
    ...asked,
    ...(typeof setting === 'string' ? { setting: unmasked(setting, stored.setting) } : {}),
    ...(typeof param_override === 'string' ? { param_override: unmasked(param_override, stored.param_override) } : {}),
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
  test_code: '' as const,
  test_status: 0,
  test_message: '',
})

/** The row of a new channel: the source's columns or the blank ones, then what the request gives. */
function newRow(
  fields: Omit<NewChannel, 'copy_from' | 'key' | 'key_mode'>,
  source: ChannelRow | undefined,
  hasKey: boolean,
  now: number,
): Omit<ChannelRow, 'id'> {
  const copied = source ? withoutId(source) : blankChannel
  const revived = hasKey ? { status: channelStatus.enabled, other_info: '' } : {}
  const row = { ...copied, ...revived, ...columnsIn(fields), ...untouched(now) }
  if (row.name === '') throw refuse('invalid', 'channel.required')
  if (row.models === '') throw refuse('invalid', 'channel.models')
  checkTogether(row)
  return row
}

/** Secrets are sealed to the row's id, so they are written once the id is known; answers it. */
async function inserted(transaction: Db, row: Omit<ChannelRow, 'id'>, key: string, vault: Vault): Promise<number> {
  const channels = channelStore(transaction)
  const id = await channels.insert({ ...row, setting: '', param_override: '' })
  await channels.update([id], { key: vault.seal(key, keyPlace(id)), ...sealedIn(row, id, vault) })
  return id
}

/** What refers to the channels goes with them, so that no orphan stays behind (docs/reference/channels.md#writing). */
async function removed(transaction: Db, ids: readonly number[]): Promise<Written<number>> {
  await channelClientStore(transaction).removeOf(ids)
  await channelKeyStore(transaction).removeOf(ids)
  return { ids, answer: await channelStore(transaction).remove(ids) }
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

/** A copy needs the key itself: it is sealed again to the copy's own place. */
function openedKey(source: ChannelRow, vault: Vault): string {
  try {
    return vault.open(source.key, keyPlace(source.id))
  } catch (cause) {
    if (cause instanceof UnreadableSecret) throw refuse('invalid', 'channel.copy_fail', {}, { cause })
    throw cause
  }
}

type KeyAsk = Readonly<{ type: number; key: string | undefined; isPool: boolean }>

/**
 * Empty keeps the stored keys, written as a new type has them. Several take the place of all where the channel has
 * several, or is to have them.
 */
function keyChange(row: ChannelRow, { type, key = '', isPool }: KeyAsk, vault: Vault): ChannelPatch {
  const keys = keysFrom(type, key)
  if (keys.length === 0) {
    if (type === row.type || !isPool) return {}
    const own = keysFrom(row.type, vault.open(row.key, keyPlace(row.id)))
    return { key: vault.seal(keysTogether(type, own), keyPlace(row.id)) }
  }
  if (keys.length > 1 && !isPool) throw refuse('invalid', 'input.invalid', { reason: 'key: one line' })
  return { key: vault.seal(keysTogether(type, keys), keyPlace(row.id)) }
}

const keyCount = (registry: ChannelRegistry, id: number): number => registry.channel(id)?.pool.length ?? 0
const isPool = (registry: ChannelRegistry, id: number): boolean => keyCount(registry, id) > 0

/** What is known of keys that are gone goes with them. */
const forgetOtherKeys = (transaction: Db, id: number, type: number, key: string) =>
  channelKeyStore(transaction).keepOnly(id, keysFrom(type, key).map(keyIdOf))

/** A person may switch a channel on or off; a status that is sent back as it is changes nothing. */
function statusChange(row: ChannelRow, status: number | undefined): ChannelPatch {
  if (status === undefined || status === row.status) return {}
  if (status === channelStatus.enabled) return { status, other_info: withoutReason(row.other_info) }
  if (status === channelStatus.disabled) return { status }
  throw refuse('invalid', 'input.invalid', { reason: 'status: 1 or 2' })
}
