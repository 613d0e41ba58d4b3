import { option } from '../../shared/api/option.ts'
import { logType } from '../../shared/enums.ts'
import type { RootGuard } from '../accounts/root-guard.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Actor } from './actor.ts'
import { saying, serve } from './serve.ts'

export type OptionDeps = Readonly<{
  settings: Pick<Settings, 'all' | 'set' | 'reset'>
  guardRoot: RootGuard
  ledger: Pick<Ledger, 'note'>
  clock: Clock
}>

/**
 * Reading and writing options (specification 2 §7, spec/console.md §4.9, §5). Secrets are never read back; each change
 * leaves an audit row that names the option and never its value.
 */
export function optionApi({ settings, guardRoot, ledger, clock }: OptionDeps) {
  const audit = (key: string, { id, username }: Actor) =>
    ledger.note({
      user_id: 0,
      created_at: unixSeconds(clock),
      type: logType.manage,
      content: key,
      other: JSON.stringify({ admin_info: { option: key, actor: { id, username } } }),
    })
  return serve(option, {
    list: () => settings.all(),
    update: async ({ body, actor }) => {
      await guardRoot(actor, body)
      await settings.set(body.key, body.value)
      audit(body.key, actor)
      return null
    },
    resetRatios: async ({ actor }) => {
      await settings.reset('ModelRatio')
      audit('ModelRatio', actor)
      return saying('option.ratio_reset', null)
    },
  })
}
