import { catalogue } from './en/catalogue.ts'
import { channel } from './en/channel.ts'
import { channelEditor } from './en/channel-editor.ts'
import { channelList } from './en/channel-list.ts'
import { channelTests } from './en/channel-tests.ts'
import { chat } from './en/chat.ts'
import { connect } from './en/connect.ts'
import { dashboard } from './en/dashboard.ts'
import { entry } from './en/entry.ts'
import { frame } from './en/frame.ts'
import { guest } from './en/guest.ts'
import { help } from './en/help.ts'
import { home } from './en/home.ts'
import { imports } from './en/imports.ts'
import { jobs } from './en/jobs.ts'
import { ledger } from './en/ledger.ts'
import { localModels } from './en/local-models.ts'
import { log } from './en/log.ts'
import { personal } from './en/personal.ts'
import { playground } from './en/playground.ts'
import { priceEditor } from './en/price-editor.ts'
import { pricing } from './en/pricing.ts'
import { providers } from './en/providers.ts'
import { routing } from './en/routing.ts'
import { setting } from './en/setting.ts'
import { settingHistory } from './en/setting-history.ts'
import { settingTools } from './en/setting-tools.ts'
import { setup } from './en/setup.ts'
import { share } from './en/share.ts'
import { tasks } from './en/tasks.ts'
import { token } from './en/token.ts'
import { users } from './en/users.ts'
import { wallet } from './en/wallet.ts'

/** Texts that only the console shows, in English; the rest are in shared/messages. */
export const en = {
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
}
