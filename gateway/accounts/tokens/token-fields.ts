import type { NewToken, TokenChange } from '../../../shared/api/token.ts'
import { refuse } from '../../base/errors.ts'
import { isAddressRange, MAX_ADDRESSES } from '../../base/network/ip-address.ts'
import type { TokenPatch } from '../../store/accounts/tokens.ts'
import { type GroupSettings, isKnownGroup, mayUseGroup } from '../groups.ts'

/** The owner of a token and their current group. */
export type TokenOwner = Readonly<{ id: number; group: string }>
export type FieldRules = Readonly<{ settings: GroupSettings; now: number }>

/** The current values of an existing token: fields that keep theirs are not checked again. */
type Present = Readonly<{ expired_time?: number; group?: string }>

/**
 * Returns the columns a body writes, normalized and checked (docs/reference/accounts.md#api-tokens). Only present
 * fields are included, so a toggle and a full edit share this code. Quota is not included: it belongs to the ledger.
 * Throws `invalid`, or `forbidden` for a group the owner may not use.
 */
export function tokenColumns(
  fields: Partial<NewToken> | TokenChange,
  owner: TokenOwner,
  { settings, now }: FieldRules,
  current: Present = {},
): TokenPatch {
  const { name, expired_time, model_limits_enabled, model_limits, allow_ips, group, response_cache, keep_bodies } =
    fields
  if (expired_time !== undefined && expired_time !== current.expired_time) checkExpiry(expired_time, now)
  if (group !== undefined && group !== current.group) checkGroup(group, owner, settings)
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

/** -1 means never (docs/reference/accounts.md#api-tokens). */
export const hasExpired = (expiredTime: number, now: number): boolean => expiredTime !== -1 && expiredTime <= now

export const isExhausted = (remainQuota: number, isUnlimited: boolean): boolean => !isUnlimited && remainQuota <= 0

function nameFrom(name: string): string {
  const tidy = name.trim()
  if (tidy === '') throw refuse('invalid', 'token.name_empty')
  return tidy
}

/** The end of the year 9999, in unix seconds: later values are milliseconds or invalid. */
const LAST_EXPIRY_S = 253_402_300_799

function checkExpiry(expiredTime: number, now: number): void {
  if (hasExpired(expiredTime, now) || expiredTime > LAST_EXPIRY_S) throw refuse('invalid', 'token.date')
}

/** An empty group means the owner's group at the time of the call. */
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

/** Max models of a token: the relay holds them in memory while the key is in use. */
const MAX_MODELS = 1000

/** One address or range per line; commas and blanks also separate (docs/reference/accounts.md#api-tokens). */
function addressesFrom(lines: string): string {
  const entries = [...new Set(entriesOf(lines, /[\s,]/))]
  const wrong = entries.find((entry) => !isAddressRange(entry))
  if (wrong !== undefined) throw refuse('invalid', 'token.ip', { entry: wrong.slice(0, 60) })
  if (entries.length > MAX_ADDRESSES) throw refuse('invalid', 'token.ips_many', { max: MAX_ADDRESSES })
  return entries.join('\n')
}

const entriesOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter(Boolean)
