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
import type { WantedValue } from '../../settings/checks.ts'
import type { Settings } from '../../settings/settings.ts'
import { type OptionStamp, optionStamps } from '../../store/options.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import type { HostGuard } from '../middleware/host.ts'
import { isOwnOrigin } from '../middleware/same-origin.ts'
import type { Failed } from '../serve.ts'

/** Who changes options, from where and by which way; `turnstile` proves the keys of the human check. */
export type OptionAuthor = Readonly<{
  actor: Actor
  caller: ApiCaller
  origin: ChangeOrigin
  turnstile?: string | undefined
}>

/** What a call that changes options answers: nothing, or what stood in its way. */
export type Saved = Readonly<{ data: null; beside: Conflicts }> | Failed<Conflicts>
type Conflicts = { conflicts?: OptionConflict[] }

/** The one way in which people change options. */
export interface OptionWriter {
  /**
   * Guards and checks all values, then saves them together, each with its audit row; or, where others have changed one
   * meanwhile, saves none and says so. Throws the first refusal.
   */
  save(wanted: readonly WantedValue[], author: OptionAuthor): Promise<Saved>
  /** Why each value that `save` would refuse would be, by key, looked at together; no token of the human check is spent. */
  refusals(wanted: readonly WantedValue[], author: OptionAuthor): Promise<ReadonlyMap<string, GatewayError>>
  /** When each option was stored last, and by whom, by its key. */
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
 * Changes are guarded and saved one call after the other, so that two cannot each take what the other one counted on.
 * Each leaves an audit row that names the option and who changed it, and never its value
 * (docs/reference/options.md#writing).
 */
export function createOptionWriter(deps: OptionWriterDeps): OptionWriter {
  const { db, settings, guardRoot, guardGroups, guardLockout, hosts } = deps
  const inTurn = pLimit(1)
  const stamps = async () => new Map((await optionStamps(db)).map((stamp) => [stamp.key, stamp]))
  const proofOf = ({ actor, caller, turnstile }: Omit<OptionAuthor, 'origin'>): Proof => {
    const { ip, host, origin } = caller
    const isAnsweredAt = (address: string) => hosts.wouldKnow(host, address) && isOwnOrigin(origin, host, address)
    const hasFactors = async () => (await countSecondFactors(db, actor.id)) > 0
    return { turnstile, ip, isAnsweredAt, host: placeOf(caller), hasFactors }
  }
  return {
    stamps,
    async refusals(wanted, { actor, caller }) {
      const refused = new Map(await settings.refusals(wanted))
      const left = () => wanted.filter(({ key }) => !refused.has(key))
      for (const one of left()) await told(refused, [one.key], () => guardRoot(actor, [one]))
      for (const one of left()) await told(refused, [one.key], () => guardGroups([one]))
      for (const { key, value } of left())
        await told(refused, [key], async () => guardSecrets([{ key, value }, ...secretsOf(left())], settings))
      for (const keys of provenTogether) {
        const group = left().filter(({ key }) => keys.some((name) => name === key))
        const proof = proofOf({ actor, caller })
        await told(
          refused,
          group.map(({ key }) => key),
          () => guardLockout(group, proof),
        )
      }
      // What was refused just now may be what another one needs.
      for (const [key, why] of await settings.refusals(left())) refused.set(key, why)
      return refused
    },
    async save(wanted, author) {
      const { actor, caller, origin } = author
      const outdated = await inTurn(async () => {
        const secrets = outdatedSecrets(wanted, await stamps())
        if (secrets.length > 0) return secrets
        await guardRoot(actor, wanted)
        guardSecrets(wanted, settings)
        await guardGroups(wanted)
        await guardLockout(wanted, proofOf(author))
        return settings.change(wanted.map(withoutSecretBase), { id: actor.id, username: actor.username, origin })
      })
      if (outdated.length > 0) return conflicting(outdated, { settings, stamps: await stamps(), locale: caller.locale })
      for (const { key } of wanted) noteChange(key, author, deps)
      return { data: null, beside: {} }
    },
  }
}

/** Writes down under these keys what a guard refuses them for. */
async function told(refused: Map<string, GatewayError>, keys: readonly string[], guard: () => Promise<void>) {
  try {
    await guard()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    for (const key of keys) refused.set(key, error)
  }
}

/** Nobody knows a secret's value; what somebody may know of it is when it was changed. */
const outdatedSecrets = (wanted: readonly WantedValue[], stamps: ReadonlyMap<string, OptionStamp>): string[] =>
  wanted
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
    beside: { conflicts },
  }
}

function noteChange(key: string, { actor, caller, origin }: OptionAuthor, { auditLog, clock }: OptionWriterDeps): void {
  const { id, username } = actor
  auditLog.record({
    user_id: 0,
    created_at: unixSeconds(clock),
    type: logType.manage,
    content: formatMessage(caller.locale, said[origin] ?? 'log.option', { actor: username, name: nameOf(key), key }),
    other: JSON.stringify({
      admin_info: { option: key, actor: { id, username }, ...(origin !== 'edit' && { [origin]: true }) },
    }),
  })
}

const said: Partial<Record<ChangeOrigin, MessageKey>> = {
  reset: 'log.option_reset',
  undo: 'log.option_undo',
  import: 'log.option_import',
}

/** A secret counts beside any address of the same change. */
const secretsOf = (wanted: readonly WantedValue[]) => wanted.filter(({ key }) => isSecret(key))

const isSecret = (key: string): boolean => isOptionKey(key) && options[key].secret === true

const nameOf = (key: string): string => (isOptionKey(key) ? nested(labelOf(key)) : key)

/** Where the person's browser has the console open, else where the call was sent. */
const placeOf = ({ origin, host }: ApiCaller): string => URL.parse(origin ?? '')?.host ?? host
