import type { MessageKey } from './en.ts'
import { joined } from './joined.ts'
import { account } from './zh/account.ts'
import { backup } from './zh/backup.ts'
import { catalogue } from './zh/catalogue.ts'
import { failure } from './zh/failure.ts'
import { guest } from './zh/guest.ts'
import { imports } from './zh/import.ts'
import { job } from './zh/job.ts'
import { label } from './zh/label.ts'
import { operation } from './zh/operation.ts'
import { option } from './zh/option.ts'
import { optionRefusal } from './zh/option-refusal.ts'
import { relay } from './zh/relay.ts'
import { setUp } from './zh/set-up.ts'
import { settingTools } from './zh/setting-tools.ts'
import { share } from './zh/share.ts'

export const zh = joined(
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
) satisfies Record<MessageKey, string>
