import type { ChannelKey, CooldownView } from '../../../shared/api/routing.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import { channelKeyStore } from '../../store/channels/channel-keys.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Cooldowns, ListedCooldown } from '../health/cooldowns.ts'
import { switchedOn } from '../health/status-transitions.ts'
import { type ActiveChannel, keyContext } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { keyIdOf, keysFrom, keysTogether, tailOf } from '../registry/keys.ts'
import { findChannel, writeOver } from '../registry/write-channels.ts'

type KeySwitch = typeof channelStatus.enabled | typeof channelStatus.disabled

/** The keys of one channel: each can be enabled or disabled, and all but the last removed. Keys are never returned. */
export interface KeyEditor {
  list(channelId: number): Promise<ChannelKey[]>
  /** Adds the keys in a text that the channel does not have; returns how many. */
  add(channelId: number, text: string): Promise<number>
  switch(channelId: number, keyId: string, status: KeySwitch): Promise<void>
  remove(channelId: number, keyId: string): Promise<void>
}

type KeyEditorDeps = Readonly<{
  db: Db
  vault: Vault
  registry: ChannelRegistry
  cooldowns: Cooldowns
  clock: Clock
}>

type Own = Readonly<{ type: number; keys: readonly string[] }>

/** Each change is one transaction; routing is updated before its method resolves. */
export function createKeyEditor({ db, vault, registry, cooldowns, clock }: KeyEditorDeps): KeyEditor {
  const write = writeOver({ db, registry })
  const found = (id: number) => findChannel({ db, registry }, id)
  const rewrite = <T>(id: number, work: (own: Own) => Readonly<{ keys: readonly string[]; answer: T }>): Promise<T> =>
    write(async (transaction) => {
      const row = await channelStore(transaction).byId(id)
      if (!row) throw refuse('missing', 'channel.not_found')
      const own = { type: row.type, keys: keysFrom(row.type, vault.open(row.key, keyContext(id))) }
      const { keys, answer } = work(own)
      const key = vault.seal(keysTogether(row.type, keys), keyContext(id))
      await channelStore(transaction).update([id], { key })
      await channelKeyStore(transaction).keepOnly(id, keys.length > 1 ? keys.map(keyIdOf) : [])
      return { ids: [id], answer }
    })
  return {
    async list(channelId) {
      const channel = await found(channelId)
      const cooling = cooldowns.list(channelId)
      return stateOf(channel).map((state) => ({
        ...state,
        cooldowns: cooling.filter(({ keyId }) => keyId === (channel.pool.length > 0 ? state.id : '')).map(cooldownView),
      }))
    },
    async add(channelId, text) {
      await found(channelId)
      return rewrite(channelId, ({ type, keys }) => {
        const own = new Set(keys)
        const fresh = [...new Set(keysFrom(type, text))].filter((key) => !own.has(key))
        return { keys: [...keys, ...fresh], answer: fresh.length }
      })
    },
    async switch(channelId, keyId, status) {
      const channel = await found(channelId)
      if (!stateOf(channel).some(({ id }) => id === keyId)) throw refuse('missing', 'channel.key_gone')
      await write(async (transaction) => {
        await switched(transaction, channel, keyId, status, unixSeconds(clock))
        return { ids: [channelId], answer: undefined }
      })
      cooldowns.clear(channelId, keyId)
    },
    async remove(channelId, keyId) {
      await found(channelId)
      await rewrite(channelId, ({ keys: own }) => {
        const keys = own.filter((key) => keyIdOf(key) !== keyId)
        if (keys.length === own.length) throw refuse('missing', 'channel.key_gone')
        if (keys.length === 0) throw refuse('invalid', 'channel.key_last')
        return { keys, answer: undefined }
      })
      cooldowns.clear(channelId, keyId)
    },
  }
}

/** Enables or disables a key. Throws for the only key of a channel, which is switched with the channel itself. */
async function switched(transaction: Db, channel: ActiveChannel, key_id: string, status: KeySwitch, now: number) {
  const { id, pool } = channel
  const keys = channelKeyStore(transaction)
  if (pool.length === 0) throw refuse('invalid', 'channel.key_last')
  if (status === channelStatus.disabled)
    return keys.put({ channel_id: id, key_id, status, reason: '', status_time: now })
  const wereAllOff = (await keys.offCount(id)) >= pool.length
  await keys.remove(id, key_id)
  if (wereAllOff) await switchedOn(transaction, id, pool.length)
}

function stateOf({ key, pool }: ActiveChannel): Omit<ChannelKey, 'cooldowns'>[] {
  const on = { status: channelStatus.enabled, reason: '', status_time: 0 }
  if (pool.length === 0) return [{ id: keyIdOf(key), position: 1, tail: tailOf(key), ...on }]
  return pool.map(({ channel, status, reason, statusTime }) => ({
    id: channel.keyId,
    position: channel.keyPosition,
    tail: tailOf(channel.key),
    status,
    reason,
    status_time: statusTime,
  }))
}

export const cooldownView = ({
  model,
  kind,
  status,
  message,
  failures,
  seconds,
  failedAt,
}: ListedCooldown): CooldownView => ({
  model,
  kind,
  status,
  message,
  failures,
  seconds,
  failed_at: failedAt,
})
