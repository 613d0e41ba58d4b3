import pLimit from 'p-limit'
import { option } from '../../shared/api/option.ts'
import { logType } from '../../shared/enums.ts'
import { formatMessage, nested } from '../../shared/messages/format.ts'
import { isOptionKey, labelOf } from '../../shared/options/index.ts'
import type { LockoutGuard } from '../accounts/lockout-guard.ts'
import type { RootGuard } from '../accounts/root-guard.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Actor, ApiCaller } from './actor.ts'
import type { HostGuard } from './middleware/host.ts'
import { isOwnOrigin } from './middleware/same-origin.ts'
import { saying, serve } from './serve.ts'

export type OptionDeps = Readonly<{
  settings: Pick<Settings, 'all' | 'set' | 'reset'>
  guardRoot: RootGuard
  guardLockout: LockoutGuard
  hosts: Pick<HostGuard, 'wouldKnow'>
  ledger: Pick<Ledger, 'note'>
  clock: Clock
}>

/**
 * Reading and writing options (docs/reference/options.md#writing, docs/reference/options.md#secrets). Secrets are
 * never read back; each change leaves an audit row that names the option and who changed it, and never its value.
 * Changes are guarded and saved one after the other, so that two cannot each take what the other one counted on.
 */
export function optionApi({ settings, guardRoot, guardLockout, hosts, ledger, clock }: OptionDeps) {
  const inTurn = pLimit(1)
  const audit = (key: string, { id, username }: Actor, { locale }: ApiCaller, reset?: true) =>
    ledger.note({
      user_id: 0,
      created_at: unixSeconds(clock),
      type: logType.manage,
      content: formatMessage(locale, reset ? 'log.option_reset' : 'log.option', {
        actor: username,
        name: nameOf(key),
        key,
      }),
      other: JSON.stringify({ admin_info: { option: key, actor: { id, username }, ...(reset && { reset }) } }),
    })
  return serve(option, {
    list: () => settings.all(),
    update: async ({ body, query, actor, caller }) => {
      const { ip, host, origin } = caller
      const isAnsweredAt = (address: string) => hosts.wouldKnow(host, address) && isOwnOrigin(origin, host, address)
      await inTurn(async () => {
        await guardRoot(actor, body)
        await guardLockout(body, { turnstile: query.turnstile, ip, isAnsweredAt, host: placeOf(caller) })
        await settings.set(body.key, body.value)
      })
      audit(body.key, actor, caller)
      return null
    },
    resetRatios: async ({ actor, caller }) => {
      await settings.reset('ModelRatio')
      audit('ModelRatio', actor, caller, true)
      return saying('option.ratio_reset', null)
    },
  })
}

const nameOf = (key: string): string => (isOptionKey(key) ? nested(labelOf(key)) : key)

/** Where the person's browser has the console open, else where the call was sent. */
const placeOf = ({ origin, host }: ApiCaller): string => URL.parse(origin ?? '')?.host ?? host
