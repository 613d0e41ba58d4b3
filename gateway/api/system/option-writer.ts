import pLimit from 'p-limit'
import type { ChangeOrigin, OptionConflict } from '../../../shared/api/option.ts'
import { logType } from '../../../shared/enums.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import { formatMessage, nested } from '../../../shared/messages/format.ts'
import { isOptionKey, labelOf, options } from '../../../shared/options/index.ts'
import { countSecondFactors } from '../../accounts/factors/second-factors.ts'
import type { GroupGuard } from '../../accounts/guards/group-guard.ts'
import { type LockoutGuard, type Proof, provenTogether } from '../../accounts/guards/lockout-guard.ts'
import type { RootGuard } from '../../accounts/guards/root-guard.ts'
import { guardSecrets } from '../../accounts/guards/secret-guard.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { parsedAddress } from '../../base/network/web-address.ts'
import type { WantedValue } from '../../settings/checks.ts'
import type { Settings } from '../../settings/settings.ts'
import { type OptionStamp, optionStamps } from '../../store/options.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import type { HostGuard } from '../middleware/host.ts'
import { isOwnOrigin } from '../middleware/same-origin.ts'
import type { Failed } from '../serve.ts'

/** The author of a change of options, and its origin; `turnstile` proves the keys of the human check. */
export type OptionAuthor = Readonly<{
  actor: Actor
  caller: ApiCaller
  origin: ChangeOrigin
  turnstile?: string | undefined
}>

/** The response of a call that changes options: empty, or the conflicts. */
type Saved = Readonly<{ data: null; extras: Conflicts }> | Failed<Conflicts>
type Conflicts = { conflicts?: OptionConflict[] }

/** Changes options for users: from the form, the history or a file. */
export interface OptionWriter {
  /**
   * Guards and checks all values, then saves them together, each with its audit row. If other users have changed one of
   * the options meanwhile, saves none and returns the conflicts. Throws the first refusal.
   */
  save(wanted: readonly WantedValue[], author: OptionAuthor): Promise<Saved>
  /**
   * The reason for each value that `save` would refuse, by key, checked together; spends no token of the human check.
   */
  refusals(wanted: readonly WantedValue[], author: OptionAuthor): Promise<ReadonlyMap<string, GatewayError>>
  /** The time and the author of each option's last change, by key. */
  stamps(): Promise<ReadonlyMap<string, OptionStamp>>
}

type OptionWriterDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'all' | 'change' | 'get' | 'refusals'>
  guardRoot: RootGuard
  guardGroups: GroupGuard
  guardLockout: LockoutGuard
  hosts: Pick<HostGuard, 'wouldKnow'>
  auditLog: AuditLog
  clock: Clock
}>

/**
 * Serializes guards and saves, so that two calls cannot rely on values that the other one changes. Each change leaves
 * an audit row with the option and its author, and never its value (docs/reference/options.md#writing).
 */
export function createOptionWriter(deps: OptionWriterDeps): OptionWriter {
  const { db, settings, guardRoot, guardGroups, guardLockout, hosts } = deps
  const serialize = pLimit(1)
  const stamps = async () => new Map((await optionStamps(db)).map((stamp) => [stamp.key, stamp]))
  const proofOf = ({ actor, caller, turnstile }: Omit<OptionAuthor, 'origin'>): Proof => {
    const { ip, host, origin } = caller
    const isAnsweredAt = (address: string) => hosts.wouldKnow(host, address) && isOwnOrigin(origin, host, address)
    const hasFactors = async () => (await countSecondFactors(db, actor.id)) > 0
    return { turnstile, ip, isAnsweredAt, host: hostOf(caller), hasFactors }
  }
  return {
    stamps,
    async refusals(values, { actor, caller }) {
      const refused = new Map(await settings.refusals(values))
      const left = () => values.filter(({ key }) => !refused.has(key))
      for (const one of left()) await recordRefusal(refused, [one.key], () => guardRoot(actor, [one]))
      for (const one of left()) await recordRefusal(refused, [one.key], () => guardGroups([one]))
      for (const { key, value } of left())
        await recordRefusal(refused, [key], async () => guardSecrets([{ key, value }, ...secretsOf(left())], settings))
      for (const keys of provenTogether) {
        const group = left().filter(({ key }) => keys.some((name) => name === key))
        const proof = proofOf({ actor, caller })
        await recordRefusal(
          refused,
          group.map(({ key }) => key),
          () => guardLockout(group, proof),
        )
      }
      // Another value may depend on one that was just refused.
      for (const [key, why] of await settings.refusals(left())) refused.set(key, why)
      return refused
    },
    async save(values, author) {
      const { actor, caller, origin } = author
      const outdated = await serialize(async () => {
        const secrets = outdatedSecrets(values, await stamps())
        if (secrets.length > 0) return secrets
        await guardRoot(actor, values)
        guardSecrets(values, settings)
        await guardGroups(values)
        await guardLockout(values, proofOf(author))
        return settings.change(values.map(withoutSecretBase), { id: actor.id, username: actor.username, origin })
      })
      if (outdated.length > 0) return conflicting(outdated, { settings, stamps: await stamps(), locale: caller.locale })
      for (const { key } of values) noteChange(key, author, deps)
      return { data: null, extras: {} }
    },
  }
}

/** Records the refusal of a guard, if any, under each of these keys. */
async function recordRefusal(refused: Map<string, GatewayError>, keys: readonly string[], guard: () => Promise<void>) {
  try {
    await guard()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    for (const key of keys) refused.set(key, error)
  }
}

/**
 * The secrets that have changed since the caller read them. Users never see a secret's value, so its `base` is the time
 * of its last change.
 */
const outdatedSecrets = (values: readonly WantedValue[], stamps: ReadonlyMap<string, OptionStamp>): string[] =>
  values
    .filter(({ key, base }) => isSecret(key) && base !== undefined && base !== changedAt(stamps.get(key)))
    .map(({ key }) => key)

const withoutSecretBase = ({ key, value, base }: WantedValue): WantedValue =>
  isSecret(key) ? { key, value } : { key, value, base }

const changedAt = (stamp: OptionStamp | undefined): string => String(stamp?.updated_at ?? 0)

type Known = Readonly<{
  settings: Pick<Settings, 'all'>
  stamps: ReadonlyMap<string, OptionStamp>
  locale: ApiCaller['locale']
}>

function conflicting(keys: readonly string[], { settings, stamps, locale }: Known): Failed<Conflicts> {
  const values = new Map<string, string>(settings.all().map(({ key, value }) => [key, value]))
  const conflicts = keys.map((key) => ({
    key,
    value: values.get(key) ?? '',
    changed_by: stamps.get(key)?.updated_by ?? '',
    changed_at: stamps.get(key)?.updated_at ?? 0,
  }))
  return {
    failed: formatMessage(locale, 'option.conflict', { fields: keys.map(nameOf).join(', ') }),
    extras: { conflicts },
  }
}

function noteChange(key: string, { actor, caller, origin }: OptionAuthor, { auditLog, clock }: OptionWriterDeps): void {
  const { id, username } = actor
  auditLog.record({
    user_id: 0,
    created_at: unixSeconds(clock),
    type: logType.manage,
    content: formatMessage(caller.locale, messages[origin] ?? 'log.option', {
      actor: username,
      name: nameOf(key),
      key,
    }),
    other: JSON.stringify({
      admin_info: { option: key, actor: { id, username }, ...(origin !== 'edit' && { [origin]: true }) },
    }),
  })
}

const messages: Partial<Record<ChangeOrigin, MessageKey>> = {
  reset: 'log.option_reset',
  undo: 'log.option_undo',
  import: 'log.option_import',
}

/** The secrets of a change, which are checked together with each of its values: a new address needs its secret. */
const secretsOf = (values: readonly WantedValue[]) => values.filter(({ key }) => isSecret(key))

const isSecret = (key: string): boolean => isOptionKey(key) && options[key].secret === true

const nameOf = (key: string): string => (isOptionKey(key) ? nested(labelOf(key)) : key)

/** The host of the console in the user's browser, else the host of the call. */
const hostOf = ({ origin, host }: ApiCaller): string => parsedAddress(origin ?? '')?.host ?? host
