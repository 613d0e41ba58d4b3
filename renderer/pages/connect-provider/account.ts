import type { CallInput } from '../../../shared/api/call.ts'
import type { channel } from '../../../shared/api/channel.ts'
import type { DryRun } from '../../../shared/api/unsaved-channel.ts'
import { channelAddress, modelListUrl } from '../../../shared/channel-address.ts'
import { type ChannelTypeName, channelTypes } from '../../../shared/channel-types.ts'
import { vendorOfKey } from '../../../shared/key-prefixes.ts'
import { isFine } from '../../components/verdict-line/is-fine.ts'
import type { TextKey } from '../../i18n.ts'

export type Account = Readonly<{
  key: string
  /** Undefined until chosen, manually or from the key. */
  vendor: ChannelTypeName | undefined
  address: string
  other: string
  models: readonly string[]
}>

export type AccountProblems = Partial<Record<keyof Account, TextKey>>

export const noAccount: Account = { key: '', vendor: undefined, address: '', other: '', models: [] }

/** Self-hosted servers without keys. */
const keyless: readonly ChannelTypeName[] = ['ollama', 'xinference']
export const isKeyless = (vendor: ChannelTypeName | undefined): boolean =>
  vendor !== undefined && keyless.includes(vendor)

/** Vendors whose address follows from the region, which is part of the key or next to it. */
const keyAddressed: readonly ChannelTypeName[] = ['aws', 'vertex']
const isKeyAddressed = (vendor: ChannelTypeName): boolean => keyAddressed.includes(vendor)

const needsAddress = (vendor: ChannelTypeName): boolean =>
  channelTypes[vendor].baseUrl === '' && !isKeyAddressed(vendor)

export function addressHintOf(vendor: ChannelTypeName): TextKey {
  if (vendor === 'custom') return 'connect.addressHintCustom'
  return needsAddress(vendor) ? 'connect.addressNeeded' : 'connect.addressHint'
}

/** Sets the key; also sets the vendor it indicates if that is `offered`. */
export function withKey(account: Account, key: string, offered: readonly ChannelTypeName[]): Account {
  const shown = vendorOfKey(key)
  if (!shown || !offered.includes(shown.name) || shown.name === account.vendor) return { ...account, key }
  return { ...withVendor(account, shown.name), address: shown.address, key }
}

/** Sets the vendor and discards the previous vendor's input. */
export const withVendor = ({ key }: Account, vendor: ChannelTypeName): Account => ({ ...noAccount, key, vendor })

export function problemsOf({ key, vendor, address, other, models }: Account): AccountProblems {
  const problems: AccountProblems = {}
  if (!vendor) problems.vendor = 'connect.vendorNeeded'
  if (key.trim() === '' && !isKeyless(vendor)) problems.key = 'connect.keyNeeded'
  if (!vendor) return problems
  if (address.trim() === '' && needsAddress(vendor)) problems.address = 'connect.addressNeeded'
  else if (addressOf({ vendor, address, other }).flaw === 'invalid') problems.address = 'connect.addressInvalid'
  if (vendor === 'custom' && models.length === 0 && !modelListUrl(addressOf({ vendor, address, other }).base))
    problems.models = 'connect.modelsNeeded'
  return problems
}

export const addressOf = ({ vendor, address, other }: Pick<Account, 'vendor' | 'address' | 'other'>) =>
  channelAddress({ type: vendor ? channelTypes[vendor].id : 0, base_url: address, other })

export const tryOutOf = (vendor: ChannelTypeName, account: Account): CallInput<typeof channel.probe>['body'] => ({
  type: channelTypes[vendor].id,
  key: keyOf(account),
  base_url: account.address.trim(),
  other: account.other.trim(),
  models: [...account.models],
})

/**
 * The channel to save, with the API format found by the test; an address left empty stays empty, so that the channel
 * follows later changes to the vendor's default.
 */
export const channelOf = (
  vendor: ChannelTypeName,
  account: Account,
  api_format: DryRun['api_format'] = 'auto',
): CallInput<typeof channel.create>['body'] => ({
  type: channelTypes[vendor].id,
  name: channelTypes[vendor].label,
  key: keyOf(account),
  base_url: addressOf(account).base,
  other: account.other.trim(),
  models: account.models.join(','),
  group: 'default',
  ...(api_format === 'auto' ? {} : { setting: JSON.stringify({ api_format }) }),
})

/** The key to save: a channel needs one; a server without keys accepts any. */
const keyOf = ({ key, vendor }: Account): string => key.trim() || (isKeyless(vendor) ? 'none' : '')

/** Maximum models selected initially; more would not be a useful choice. */
const maxAtFirst = 60

/**
 * The initial models: the usual ones that the vendor lists, else all it lists, else the usual ones, limited to
 * `maxAtFirst`; also the tested one if its call succeeded.
 */
export function modelsAtFirst({ models, model, plain }: DryRun, usual: readonly string[]): string[] {
  const known = usual.filter((name) => models.includes(name))
  const offered = [known, models, usual].find(({ length }) => length > 0) ?? []
  return [...new Set([...(isFine(plain.code) ? [model] : []), ...offered.slice(0, maxAtFirst)])]
}
