import type { ChannelChange, NewChannel } from '../../../shared/api/channel.ts'
import { channelTypes } from '../../../shared/channel-types.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { UnreadableSecret, type Vault } from '../../base/secrets/ciphers.ts'
import { channelClientStore } from '../../store/channels/channel-clients.ts'
import { channelKeyStore } from '../../store/channels/channel-keys.ts'
import { type ChannelPatch, channelStore, type VisibleChannel } from '../../store/channels/channels.ts'
import type { ChannelRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { reviveKeys, withoutReason } from '../health/status-transitions.ts'
import { keyContext } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { keyIdOf, keysFrom, keysTogether } from '../registry/keys.ts'
import { unmasked } from '../registry/masks.ts'
import { readableColumns, type SealedColumns, sealedIn, shownRow } from '../registry/sealed-columns.ts'
import { type Written, writeOver } from '../registry/write-channels.ts'
import { assertSecretsStayWithHost } from './destination.ts'
import { checkTogether, columnsIn } from './field-rules.ts'

/**
 * Writes channels (docs/reference/channels.md#writing). Each method is one transaction, and routing is updated before
 * it resolves.
 */
export interface ChannelEditor {
  /**
   * Creates one channel per key, or one with all keys if `key_mode` is `pool`; returns the ids. `copy_from` copies all
   * fields left out, and the key unless it would be sent to another host.
   */
  create(request: NewChannel): Promise<readonly number[]>
  /** Writes the fields that are present; an empty key keeps the stored one if the channel stays with its host. */
  update(change: ChannelChange): Promise<VisibleChannel>
  remove(id: number): Promise<void>
  removeMany(ids: readonly number[]): Promise<number>
  /** Deletes the channels disabled by hand or by the system; returns how many. */
  removeDisabled(): Promise<number>
}

type EditorDeps = Readonly<{ db: Db; vault: Vault; registry: ChannelRegistry; clock: Clock }>

/** The defaults of a new channel (docs/reference/channels.md#fields). */
export const blankChannel: Omit<ChannelRow, 'id' | keyof ReturnType<typeof initialColumns>> = {
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

export function createEditor({ db, vault, registry, clock }: EditorDeps): ChannelEditor {
  const write = writeOver({ db, registry })
  const removeMany = (ids: readonly number[]) => write((transaction) => removeChannels(transaction, ids))
  return {
    create: ({ copy_from, key = '', key_mode = 'split', ...fields }) =>
      write(async (transaction) => {
        const sealed = copy_from === undefined ? undefined : await findRow(transaction, copy_from)
        const source = sealed && { ...sealed, ...readableColumns(sealed, vault) }
        const row = newRow(withStoredSecrets(fields, source), source, key.trim() !== '', unixSeconds(clock))
        const keys = keysFrom(row.type, key)
        if (source) assertSecretsStayWithHost(source, row, { hasKey: keys.length > 0, override: fields.param_override })
        const newKeys = key_mode === 'pool' && keys.length > 1 ? [keysTogether(row.type, keys)] : keys
        const own = keys.length === 0 && source ? [openedKey(source, vault)] : newKeys
        if (own.length === 0) throw refuse('invalid', 'channel.required')
        const ids: number[] = []
        for (const one of own) ids.push(await insertChannel(transaction, row, one, vault))
        return { ids, answer: ids }
      }),
    update: ({ id, key, key_mode, status, ...fields }) =>
      write(async (transaction) => {
        const sealed = await findRow(transaction, id)
        const row = { ...sealed, ...readableColumns(sealed, vault) }
        const changed = columnsIn(withStoredSecrets(fields, row))
        const type = fields.type ?? row.type
        const hasKey = keysFrom(type, key ?? '').length > 0
        assertSecretsStayWithHost(row, { ...row, ...changed }, { hasKey, override: fields.param_override })
        const changes = {
          ...changed,
          ...sealedIn(changed, id, vault),
          ...keyChange(row, { type, key, isPool: key_mode === 'pool' || isPool(registry, id) }, vault),
          ...statusChange(row, status),
        }
        if ('type' in changed || 'other' in changed || 'base_url' in changed) checkTogether({ ...row, ...changed })
        await channelStore(transaction).update([id], changes)
        if (key?.trim()) await forgetOtherKeys(transaction, id, type, key)
        if (row.status !== channelStatus.enabled && changes.status === channelStatus.enabled)
          await reviveKeys(transaction, id, keyCount(registry, id))
        return { ids: [id], answer: shownRow(withoutKey(await findRow(transaction, id)), vault) }
      }),
    async remove(id) {
      if ((await removeMany([id])) === 0) throw refuse('missing', 'channel.not_found')
    },
    removeMany,
    removeDisabled: () =>
      write(async (transaction) => {
        const rows = await channelStore(transaction).byStatus([2, 3])
        return removeChannels(
          transaction,
          rows.map(({ id }) => id),
        )
      }),
  }
}

/** Replaces masks in a request with the stored values. */
function withStoredSecrets<T extends Partial<Record<keyof SealedColumns, string | null | undefined>>>(
  fields: T,
  stored: SealedColumns = { setting: '', param_override: '' },
): T {
  const { setting, param_override } = fields
  return {
    ...fields,
    ...(typeof setting === 'string' ? { setting: unmasked(setting, stored.setting) } : {}),
    ...(typeof param_override === 'string' ? { param_override: unmasked(param_override, stored.param_override) } : {}),
  }
}

/** The initial values of the columns that a copy does not take over. */
const initialColumns = (now: number) => ({
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

/** The row of a new channel: the source's columns or the defaults, overwritten by the request. */
function newRow(
  fields: Omit<NewChannel, 'copy_from' | 'key' | 'key_mode'>,
  source: ChannelRow | undefined,
  hasKey: boolean,
  now: number,
): Omit<ChannelRow, 'id'> {
  const copied = source ? withoutId(source) : blankChannel
  const revived = hasKey ? { status: channelStatus.enabled, other_info: '' } : {}
  const row = { ...copied, ...revived, ...columnsIn(fields), ...initialColumns(now) }
  if (row.name === '') throw refuse('invalid', 'channel.required')
  if (row.models === '') throw refuse('invalid', 'channel.models')
  checkTogether(row)
  return row
}

/** Inserts a row and returns its id. Secrets are sealed to the id, so they are written once it is known. */
async function insertChannel(transaction: Db, row: Omit<ChannelRow, 'id'>, key: string, vault: Vault): Promise<number> {
  const channels = channelStore(transaction)
  const id = await channels.insert({ ...row, setting: '', param_override: '' })
  await channels.update([id], { key: vault.seal(key, keyContext(id)), ...sealedIn(row, id, vault) })
  return id
}

/** Deletes the channels together with the rows that refer to them (docs/reference/channels.md#writing). */
async function removeChannels(transaction: Db, ids: readonly number[]): Promise<Written<number>> {
  await channelClientStore(transaction).removeOf(ids)
  await channelKeyStore(transaction).removeOf(ids)
  return { ids, answer: await channelStore(transaction).remove(ids) }
}

async function findRow(db: Db, id: number): Promise<ChannelRow> {
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

/** A copy needs the key itself, to seal it to the copy's own id. */
function openedKey(source: ChannelRow, vault: Vault): string {
  try {
    return vault.open(source.key, keyContext(source.id))
  } catch (cause) {
    if (cause instanceof UnreadableSecret) throw refuse('invalid', 'channel.copy_fail', {}, { cause })
    throw cause
  }
}

type KeyRequest = Readonly<{ type: number; key: string | undefined; isPool: boolean }>

/**
 * An empty key keeps the stored ones, which are reformatted if a pool gets another type. Other keys replace all stored
 * ones; several are allowed only if the channel is or becomes a pool.
 */
function keyChange(row: ChannelRow, { type, key = '', isPool }: KeyRequest, vault: Vault): ChannelPatch {
  const keys = keysFrom(type, key)
  if (keys.length === 0) {
    if (type === row.type || !isPool) return {}
    const own = keysFrom(row.type, vault.open(row.key, keyContext(row.id)))
    return { key: vault.seal(keysTogether(type, own), keyContext(row.id)) }
  }
  if (keys.length > 1 && !isPool) throw refuse('invalid', 'input.invalid', { reason: 'key: one line' })
  return { key: vault.seal(keysTogether(type, keys), keyContext(row.id)) }
}

const keyCount = (registry: ChannelRegistry, id: number): number => registry.channel(id)?.pool.length ?? 0
const isPool = (registry: ChannelRegistry, id: number): boolean => keyCount(registry, id) > 0

const forgetOtherKeys = (transaction: Db, id: number, type: number, key: string) =>
  channelKeyStore(transaction).keepOnly(id, keysFrom(type, key).map(keyIdOf))

/** A request can only enable or disable a channel; sending the current status back changes nothing. */
function statusChange(row: ChannelRow, status: number | undefined): ChannelPatch {
  if (status === undefined || status === row.status) return {}
  if (status === channelStatus.enabled) return { status, other_info: withoutReason(row.other_info) }
  if (status === channelStatus.disabled) return { status }
  throw refuse('invalid', 'input.invalid', { reason: 'status: 1 or 2' })
}
