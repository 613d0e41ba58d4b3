import type { ChannelChange, NewChannel } from '../../../shared/api/channel.ts'
import { apiFormatChoice } from '../../../shared/api-format.ts'
import { channelTypeById, channelTypes } from '../../../shared/channel-types.ts'
import { refuse } from '../../base/errors.ts'
import { isProxyUrl } from '../../base/network/http-client.ts'
import { metadataHost } from '../../base/network/metadata-address.ts'
import type { ChannelPatch } from '../../store/channels/channels.ts'
import { namesIn, objectOf, withoutTrailingSlash } from '../registry/active-channel.ts'

/** A region becomes part of a host name: anything else could send the key elsewhere. */
const REGION = /^[a-z0-9-]{1,63}$/i
const MAX_MODEL_LENGTH = 255
const MAX_OVERRIDE_DEPTH = 8

type Fields =
  | Omit<NewChannel, 'copy_from' | 'key' | 'key_mode'>
  | Omit<ChannelChange, 'id' | 'key' | 'key_mode' | 'status'>

/**
 * Returns the columns a request writes: only fields that are present, each normalized and checked
 * (docs/reference/channels.md#fields). A text may be cleared; `null` clears a tag and leaves other fields unchanged.
 */
export function columnsIn(fields: Fields): ChannelPatch {
  const columns: ChannelPatch = {}
  for (const name of ['openai_organization', 'test_model', 'other'] as const) {
    const value = fields[name]
    if (typeof value === 'string') columns[name] = value.trim()
  }
  for (const name of ['type', 'weight', 'priority', 'max_input_tokens', 'auto_ban'] as const) {
    const value = fields[name]
    if (typeof value === 'number') columns[name] = value
  }
  for (const name of Object.keys(jsonRules) as (keyof typeof jsonRules)[]) {
    const value = fields[name]
    if (typeof value === 'string') columns[name] = checkedJson(name, value)
  }
  if (fields.tag !== undefined) columns.tag = fields.tag?.trim() || null
  if (fields.name !== undefined) columns.name = nameFrom(fields.name)
  if (typeof fields.base_url === 'string') columns.base_url = addressFrom(fields.base_url)
  if (fields.models !== undefined) columns.models = modelsFrom(fields.models)
  const group = fields.group ?? fields.groups?.join(',')
  if (group !== undefined) columns.group = groupsFrom(group)
  return columns
}

/** Checks that involve several columns: some types without a default address need an address, Vertex needs a region. */
export function checkTogether({ type, other, base_url }: { type: number; other: string; base_url: string }): void {
  const row = channelTypeById(type)
  if (row?.baseUrlRequired && row.baseUrl === '' && base_url === '') throw invalid('base_url', 'required')
  if (type !== channelTypes.vertex.id) return
  if (other === '') throw refuse('invalid', 'channel.region')
  const regions = objectOf(other)
  if (regions && typeof regions.default !== 'string') throw refuse('invalid', 'channel.region_default')
  const named = regions ? Object.values(regions) : [other]
  if (!named.every((region) => typeof region === 'string' && REGION.test(region.trim())))
    throw invalid('other', 'region')
}

/** Normalizes a model list for storage; throws if it is empty or a name is too long. */
export function modelsFrom(list: string): string {
  const models = namesIn(list)
  if (models.length === 0) throw refuse('invalid', 'channel.models')
  const long = models.find((model) => [...model].length > MAX_MODEL_LENGTH)
  if (long) throw refuse('invalid', 'channel.model_long', { name: `${[...long].slice(0, 60).join('')}…` })
  return models.join(',')
}

/** Normalizes a group list for storage; throws if it is empty. */
export function groupsFrom(list: string): string {
  const groups = namesIn(list)
  if (groups.length === 0) throw invalid('group', 'required')
  return groups.join(',')
}

export const modelMappingFrom = (text: string): string => checkedJson('model_mapping', text)

function nameFrom(text: string): string {
  const name = text.trim()
  if (name === '') throw refuse('invalid', 'channel.required')
  return name
}

/**
 * Normalizes an address for storage: no trailing slashes, http or https, no metadata address, no credentials; empty if
 * there is none.
 */
export function addressFrom(text: string): string {
  const address = withoutTrailingSlash(text)
  if (address === '') return ''
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || metadataHost(url.hostname)) throw invalid('base_url', 'address')
  if (url.username !== '' || url.password !== '') throw invalid('base_url', 'no user name, no password')
  return address
}

const jsonRules = {
  model_mapping: (mapping: Record<string, unknown>) => Object.values(mapping).every((name) => typeof name === 'string'),
  status_code_mapping: (mapping: Record<string, unknown>) =>
    Object.entries(mapping).every((pair) => pair.every((status) => isStatus(Number(status)))),
  setting: ({ proxy, api_format: format }: Record<string, unknown>) =>
    (proxy === undefined || proxy === '' || (typeof proxy === 'string' && isProxyUrl(proxy.trim()))) &&
    (format === undefined || apiFormatChoice(format) !== undefined),
  param_override: (override: Record<string, unknown>) =>
    !('stream' in override) && !('model' in override) && isPlain(override, MAX_OVERRIDE_DEPTH),
}

function checkedJson(name: keyof typeof jsonRules, text: string): string {
  if (text.trim() === '') return ''
  const value = objectOf(text)
  if (value && jsonRules[name](value)) return text.trim()
  throw name === 'model_mapping' ? refuse('invalid', 'channel.mapping') : invalid(name, 'not valid')
}

const isStatus = (status: number) => Number.isInteger(status) && status >= 100 && status <= 599

/** Whether JSON nests at most `depth` levels and has no key that could reach an object's prototype. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(
    ([name, inner]) => !['__proto__', 'prototype', 'constructor'].includes(name) && isPlain(inner, depth - 1),
  )
}

const invalid = (field: string, why: string) => refuse('invalid', 'input.invalid', { reason: `${field}: ${why}` })
