import { account } from './en/account.ts'
import { backup } from './en/backup.ts'
import { catalogue } from './en/catalogue.ts'
import { failure } from './en/failure.ts'
import { guest } from './en/guest.ts'
import { imports } from './en/import.ts'
import { job } from './en/job.ts'
import { label } from './en/label.ts'
import { operation } from './en/operation.ts'
import { option } from './en/option.ts'
import { optionRefusal } from './en/option-refusal.ts'
import { relay } from './en/relay.ts'
import { setUp } from './en/set-up.ts'
import { settingTools } from './en/setting-tools.ts'
import { share } from './en/share.ts'
import { joined } from './joined.ts'

/**
 * The texts of the gateway, and those of the console that are not in renderer/messages, in English. Keys are flat; a
 * placeholder is a name in braces, filled by `formatMessage`. Names with a dot and snake case are those of the family
 * of products, the rest are ours (docs/reference/screens.md#texts).
 */
export const en = joined(
  account,
  failure,
  operation,
  label,
  option,
  optionRefusal,
  relay,
  settingTools,
  setUp,
  catalogue,
  imports,
  job,
  backup,
  guest,
  share,
)

export type MessageKey = keyof typeof en

export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(en, key)
