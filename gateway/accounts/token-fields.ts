import type { NewToken, TokenChange } from '../../shared/api/token.ts'
import { refuse } from '../base/errors.ts'
import { networkIn } from '../base/ip-address.ts'
import type { TokenPatch } from '../store/tokens.ts'
import { type GroupSettings, isKnownGroup, mayUseGroup } from './groups.ts'

/** Who a token belongs to, with the group the user is in now. */
export type TokenOwner = Readonly<{ id: number; group: string }>
/** What the rules look at beside the fields themselves. */
export type FieldRules = Readonly<{ settings: GroupSettings; now: number }>

/** Where the fields stand before the change; what stays as it is was allowed once and is not checked again. */
type Present = Readonly<{ expired_time?: number; group?: string }>

/**
 * The columns that a body writes, tidied and checked (docs/reference/accounts.md#api-tokens): only fields that are
 * present, so a toggle and a full edit take the same way. Quota is not among them, it belongs to the ledger. Refuses
 * with `invalid` or, for a group the owner may not use, `forbidden`.
 */
export function tokenColumns(
  fields: Partial<NewToken> | TokenChange,
  owner: TokenOwner,
  { settings, now }: FieldRules,
  present: Present = {},
): TokenPatch {
  const { name, expired_time, model_limits_enabled, model_limits, allow_ips, group, response_cache, keep_bodies } =
    fields
  if (expired_time !== undefined && expired_time !== present.expired_time) checkExpiry(expired_time, now)
  if (group !== undefined && group !== present.group) checkGroup(group, owner, settings)
  return {
    ...(name === undefined ? {} : { name: nameFrom(name) }),
    ...(expired_time === undefined ? {} : { expired_time }),
    ...(model_limits_enabled === undefined ? {} : { model_limits_enabled: model_limits_enabled ? 1 : 0 }),
    ...(model_limits === undefined ? {} : { model_limits: modelsFrom(model_limits) }),
    ...(allow_ips === undefined ? {} : { allow_ips: addressesFrom(allow_ips ?? '') }),
    ...(group === undefined ? {} : { group }),
    ...(response_cache === undefined ? {} : { response_cache: response_cache ? 1 : 0 }),
    ...(keep_bodies === undefined ? {} : { keep_bodies: keep_bodies ? 1 : 0 }),
  }
}

/** Whether a token's time is over; -1 is never (docs/reference/accounts.md#api-tokens). */
export const hasExpired = (expiredTime: number, now: number): boolean => expiredTime !== -1 && expiredTime <= now

/** Whether nothing is left of a limited token. */
export const isExhausted = (remainQuota: number, isUnlimited: boolean): boolean => !isUnlimited && remainQuota <= 0

function nameFrom(name: string): string {
  const tidy = name.trim()
  if (tidy === '') throw refuse('invalid', 'token.name_empty')
  return tidy
}

/** The end of the year 9999: what is later is milliseconds, or no time at all. */
const LAST_EXPIRY_S = 253_402_300_799

function checkExpiry(expiredTime: number, now: number): void {
  if (hasExpired(expiredTime, now) || expiredTime > LAST_EXPIRY_S) throw refuse('invalid', 'token.date')
}

/** Empty stands for the owner's own group at the time of the call. */
function checkGroup(group: string, owner: TokenOwner, settings: GroupSettings): void {
  if (group === '') return
  if (!mayUseGroup(owner.group, group, settings)) throw refuse('forbidden', 'token.group_denied', { group })
  if (!isKnownGroup(group, settings)) throw refuse('forbidden', 'token.group_gone', { group })
}

function modelsFrom(models: string): string {
  const names = new Set(entriesOf(models, /[,\n]/))
  if (names.size > MAX_MODELS) throw refuse('invalid', 'token.models_many', { max: MAX_MODELS })
  return [...names].join(',')
}

/** Models of a token: the relay keeps them in memory while its key is in use. */
const MAX_MODELS = 1000

/** One address or range a line; commas and blanks separate as well (docs/reference/accounts.md#api-tokens). */
function addressesFrom(lines: string): string {
  const entries = [...new Set(entriesOf(lines, /[\s,]/))]
  const wrong = entries.find((entry) => !isAddressRange(entry))
  if (wrong !== undefined) throw refuse('invalid', 'token.ip', { entry: wrong.slice(0, 60) })
  return entries.join('\n')
}

/** An IPv4 or IPv6 address, alone or as a CIDR range; an address with a zone names no range. */
const isAddressRange = (entry: string): boolean => !entry.includes('%') && networkIn(entry) !== undefined

const entriesOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter(Boolean)
