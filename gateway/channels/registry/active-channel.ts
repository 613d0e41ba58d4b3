import { z } from 'zod'
import { apiFormatChoices } from '../../../shared/api-format.ts'
import { type ChannelTypeName, channelTypeNameById, channelTypes } from '../../../shared/channel-types.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { localProgramNames } from '../../../shared/local-programs.ts'
import { isObject, parsed } from '../../base/json/json.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { ChannelKeyRow, ChannelRow } from '../../store/schema/schema.ts'
import { keyIdOf, keysFrom } from './keys.ts'
import { masked, secretsIn } from './masks.ts'
import { openedColumns, type SealedColumns } from './sealed-columns.ts'

/**
 * The `setting` column of a channel (docs/reference/selection.md#channel-settings); absent or invalid values take the
 * default.
 */
const channelSetting = z.object({
  force_format: z.boolean().catch(false),
  thinking_to_content: z.boolean().catch(false),
  /** http, https, socks5 or socks5h URL the channel's calls go through; empty for none. */
  proxy: z.string().trim().catch(''),
  /** Stores the bodies of the channel's calls, where that is allowed. */
  keep_bodies: z.boolean().catch(false),
  /**
   * How JSON output is requested: as the vendor's model supports it (`auto`), as the caller requested it (`native`), by
   * a tool, or by a prompt.
   */
  structured_output: z.enum(['auto', 'native', 'tool', 'prompt']).catch('auto'),
  pass_through_body_enabled: z.boolean().catch(false),
  system_prompt: z.string().catch(''),
  system_prompt_override: z.boolean().catch(false),
  /** Max requests in flight; 0 is unlimited. */
  max_concurrency: z.number().int().min(0).catch(0),
  /** Fields by which callers choose the price, speed or location of a call; dropped unless allowed. */
  allow_service_tier: z.boolean().catch(false),
  allow_safety_identifier: z.boolean().catch(false),
  allow_inference_geo: z.boolean().catch(false),
  allow_speed: z.boolean().catch(false),
  /** Callers may name files, stores and other data of the provider's account. */
  allow_account_data: z.boolean().catch(false),
  /** Callers cannot have the vendor store their responses. */
  disable_store: z.boolean().catch(false),
  /** The `api-version` for Azure's Responses API; empty for the newest preview. */
  azure_responses_version: z.string().trim().catch(''),
  /** Which of OpenAI's two API formats is used for conversations, if the vendor has both. */
  api_format: z.enum(apiFormatChoices).catch('auto'),
  /** The Responses endpoint at the channel's address supports only function tools: others are sent as functions. */
  tools_as_functions: z.boolean().catch(false),
  /** Calls Anthropic with `?beta=true`. */
  claude_beta_query: z.boolean().catch(false),
  /** The kind of a Vertex key: a service account file, or an API key. */
  vertex_key_type: z.enum(['json', 'api_key']).catch('json'),
  /** Calls are free if the channel's address is on this machine or a private network. */
  free_of_charge: z.boolean().catch(false),
  /** The local program the channel was added for; empty for none. */
  local_program: z.enum(['', ...localProgramNames]).catch(''),
  /** What to do if the program's models differ from the channel's: report it, or update the channel. */
  local_changes: z.enum(['tell', 'take']).catch('tell'),
})
export type ChannelSetting = Readonly<z.output<typeof channelSetting>>

/** A channel prepared for the relay: its key decrypted, its JSON columns parsed, its address complete. Frozen. */
export type ActiveChannel = Readonly<{
  id: number
  type: number
  /**
   * The type's name in shared/channel-types.ts; an unknown type counts as `openai`
   * (docs/reference/channel-types.md#types).
   */
  typeName: ChannelTypeName
  name: string
  /** 1 enabled, 2 disabled by hand, 3 disabled by the system. */
  status: number
  /** The key that calls are made with; if there are several, an enabled one, or the first if none is enabled. */
  key: string
  /** In `pool`, the fingerprint of the key; otherwise empty. */
  keyId: string
  /** In `pool`, the position of the key among several, from 1; otherwise 0. */
  keyPosition: number
  keyCount: number
  /** All its keys: none of them may be disclosed, whichever one a call uses. */
  allKeys: readonly string[]
  /** The channel with each of its keys, in their order; empty if it has only one. */
  pool: readonly PoolKey[]
  /** The channel's address or its type's default, without trailing slash; empty if there is neither. */
  baseUrl: string
  organization: string
  /**
   * Requested name to upstream name, one step of the chain of docs/reference/selection.md#model-mapping; null if there
   * is no mapping.
   */
  modelMapping: ReadonlyMap<string, string> | null
  /** Upstream status to the status that replaces it (docs/reference/selection.md#status-code-mapping). */
  statusMapping: ReadonlyMap<number, number>
  setting: ChannelSetting
  /**
   * Top-level fields that overwrite those of the upstream body (docs/reference/selection.md#parameter-overrides); null
   * if there are none.
   */
  paramOverride: Readonly<Record<string, unknown>> | null
  /**
   * Secrets in the settings, as confidential as the key: passwords of the proxy, of headers and of overridden fields.
   */
  secrets: readonly string[]
  /** The columns that contain secrets, masked. */
  shown: SealedColumns
  /** Max prompt tokens; 0 means unlimited. */
  maxInputTokens: number
  autoBan: boolean
  priority: number
  weight: number
  other: string
  tag: string | null
  /** Unix seconds. */
  createdTime: number
  testModel: string
  models: readonly string[]
  groups: readonly string[]
}>

export type PoolKey = Readonly<{
  channel: ActiveChannel
  /** 1 enabled, 2 disabled by hand, 3 disabled by the system. */
  status: number
  reason: string
  /** Unix seconds. */
  statusTime: number
}>

/**
 * Returns the channel with the key of this fingerprint. An empty fingerprint was stored while the channel had only one
 * key, which is now the first of several. Undefined if the key is gone, or disabled among several.
 */
export function withKey(channel: ActiveChannel, keyId: string): ActiveChannel | undefined {
  if (channel.pool.length === 0) return keyId === '' || keyIdOf(channel.key) === keyId ? channel : undefined
  const key = keyId === '' ? channel.pool[0] : channel.pool.find((one) => one.channel.keyId === keyId)
  return key?.status === channelStatus.enabled ? key.channel : undefined
}

/** The encryption context of a channel's key, authenticated by the vault. */
export const keyContext = (channelId: number): string => `channels|${channelId}|key`

/**
 * Builds the relay's view of a row; `off` lists its disabled keys. Throws `UnreadableSecret` if its secrets cannot be
 * decrypted.
 */
export function activeChannel(
  row: ChannelRow,
  vault: Pick<Vault, 'open'>,
  off: readonly ChannelKeyRow[] = [],
): ActiveChannel {
  const text = vault.open(row.key, keyContext(row.id))
  const keys = keysFrom(row.type, text)
  const facts = factsOf({ ...row, ...openedColumns(row, vault) })
  if (keys.length < 2) return Object.freeze({ ...facts, ...soleKey(text) })
  const many = { ...facts, keyCount: keys.length, allKeys: Object.freeze(keys) }
  const offById = new Map(off.map((one) => [one.key_id, one]))
  const pool = Object.freeze(keys.map((key, index) => poolKey(many, key, index + 1, offById)))
  const main = pool.find(({ status }) => status === channelStatus.enabled) ?? pool[0]
  return Object.freeze({ ...many, key: main?.channel.key ?? '', keyId: '', keyPosition: 0, pool })
}

export const soleKey = (
  key: string,
): Pick<ActiveChannel, 'key' | 'keyId' | 'keyPosition' | 'keyCount' | 'allKeys' | 'pool'> => ({
  key,
  keyId: '',
  keyPosition: 0,
  keyCount: 1,
  allKeys: [key],
  pool: NO_POOL,
})

const NO_POOL: readonly never[] = Object.freeze([])

function poolKey(
  facts: Facts & Pick<ActiveChannel, 'keyCount' | 'allKeys'>,
  key: string,
  keyPosition: number,
  off: ReadonlyMap<string, ChannelKeyRow>,
): PoolKey {
  const keyId = keyIdOf(key)
  const row = off.get(keyId)
  return Object.freeze({
    channel: Object.freeze({ ...facts, key, keyId, keyPosition, pool: NO_POOL }),
    status: row?.status ?? channelStatus.enabled,
    reason: row?.reason ?? '',
    statusTime: row?.status_time ?? 0,
  })
}

type Facts = Omit<ActiveChannel, 'key' | 'keyId' | 'keyPosition' | 'keyCount' | 'allKeys' | 'pool'>

function factsOf(row: ChannelRow): Facts {
  return {
    id: row.id,
    type: row.type,
    typeName: typeNameOf(row.type),
    name: row.name,
    status: row.status,
    baseUrl: baseUrlOf(row.type, row.base_url),
    organization: row.openai_organization,
    modelMapping: mappingOf(row.model_mapping),
    statusMapping: statusMappingOf(row.status_code_mapping),
    setting: settingIn(row.setting),
    paramOverride: overrideOf(row.param_override),
    secrets: secretsOf(row),
    shown: Object.freeze({ setting: masked(row.setting), param_override: masked(row.param_override) }),
    maxInputTokens: row.max_input_tokens,
    autoBan: row.auto_ban === 1,
    priority: row.priority,
    weight: row.weight,
    other: row.other,
    tag: row.tag,
    createdTime: row.created_time,
    testModel: row.test_model,
    models: Object.freeze(namesIn(row.models)),
    groups: Object.freeze(namesIn(row.group)),
  }
}

const MIN_SECRET_LENGTH = 4
const secretsOf = ({ setting, param_override }: ChannelRow): readonly string[] =>
  Object.freeze(
    [...secretsIn(setting), ...secretsIn(param_override)].filter(({ length }) => length >= MIN_SECRET_LENGTH),
  )

export const settingIn = (text: string): ChannelSetting => Object.freeze(channelSetting.parse(objectOf(text) ?? {}))

/** Splits a comma-separated list into unique, trimmed, non-empty entries, in their order. */
export const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** The address calls go to: the channel's or its type's default, without trailing slashes. */
export const baseUrlOf = (type: number, own: string): string =>
  withoutTrailingSlash(own) || withoutTrailingSlash(channelTypes[typeNameOf(type)].baseUrl)

export const withoutTrailingSlash = (address: string): string => address.trim().replace(/(?<!\/)\/+$/, '')

/** The object in a JSON text, or null if the text is empty or anything else. */
export function objectOf(text: string): Record<string, unknown> | null {
  const value = parsed(text)
  return isObject(value) ? value : null
}

const typeNameOf = (type: number): ChannelTypeName => channelTypeNameById(type) ?? 'openai'

function mappingOf(text: string): ReadonlyMap<string, string> | null {
  const entries = Object.entries(objectOf(text) ?? {}).flatMap(([from, to]) =>
    typeof to === 'string' && to !== '' ? [[from, to] as const] : [],
  )
  return entries.length === 0 ? null : new Map(entries)
}

function statusMappingOf(text: string): ReadonlyMap<number, number> {
  const entries = Object.entries(objectOf(text) ?? {}).map(([from, to]) => [Number(from), Number(to)] as const)
  return new Map(entries.filter(([from, to]) => isStatus(from) && isStatus(to)))
}

const isStatus = (value: number) => Number.isInteger(value) && value >= 100 && value <= 599

function overrideOf(text: string): Readonly<Record<string, unknown>> | null {
  const fields = Object.entries(objectOf(text) ?? {}).filter(([name]) => !polluting.has(name))
  return fields.length === 0 ? null : Object.freeze(Object.fromEntries(fields))
}

const polluting = new Set(['__proto__', 'prototype', 'constructor'])
