import type { en } from './en.ts'
import { catalogue } from './zh/catalogue.ts'
import { channel } from './zh/channel.ts'
import { channelEditor } from './zh/channel-editor.ts'
import { channelList } from './zh/channel-list.ts'
import { channelTests } from './zh/channel-tests.ts'
import { chat } from './zh/chat.ts'
import { connect } from './zh/connect.ts'
import { dashboard } from './zh/dashboard.ts'
import { entry } from './zh/entry.ts'
import { frame } from './zh/frame.ts'
import { guest } from './zh/guest.ts'
import { help } from './zh/help.ts'
import { home } from './zh/home.ts'
import { imports } from './zh/imports.ts'
import { jobs } from './zh/jobs.ts'
import { ledger } from './zh/ledger.ts'
import { localModels } from './zh/local-models.ts'
import { log } from './zh/log.ts'
import { personal } from './zh/personal.ts'
import { playground } from './zh/playground.ts'
import { priceEditor } from './zh/price-editor.ts'
import { pricing } from './zh/pricing.ts'
import { providers } from './zh/providers.ts'
import { routing } from './zh/routing.ts'
import { setting } from './zh/setting.ts'
import { settingHistory } from './zh/setting-history.ts'
import { settingTools } from './zh/setting-tools.ts'
import { setup } from './zh/setup.ts'
import { share } from './zh/share.ts'
import { tasks } from './zh/tasks.ts'
import { token } from './zh/token.ts'
import { users } from './zh/users.ts'
import { wallet } from './zh/wallet.ts'

export const zh = {
  ...frame,
  ...setup,
  ...entry,
  ...providers,
  ...help,
  ...home,
  ...dashboard,
  ...channel,
  ...channelEditor,
  ...channelList,
  ...localModels,
  ...log,
  ...tasks,
  ...personal,
  ...playground,
  ...pricing,
  ...connect,
  ...token,
  ...chat,
  ...users,
  ...routing,
  ...channelTests,
  ...ledger,
  ...jobs,
  ...share,
  ...guest,
  ...imports,
  ...setting,
  ...catalogue,
  ...settingTools,
  ...settingHistory,
  ...priceEditor,
  ...wallet,
} satisfies Record<keyof typeof en, string>
