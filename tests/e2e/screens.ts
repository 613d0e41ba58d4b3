import { backupScreens } from './screens/backup-screens.ts'
import { bodiesScreens } from './screens/bodies-screens.ts'
import { channelScreens } from './screens/channel-screens.ts'
import { chatScreens } from './screens/chat-screens.ts'
import { dashboardScreens } from './screens/dashboard-screens.ts'
import { entryScreens } from './screens/entry-screens.ts'
import { firstScreens } from './screens/first-screens.ts'
import { listScreens } from './screens/list-screens.ts'
import { localModelsScreens } from './screens/local-models-screens.ts'
import { personalScreens } from './screens/personal-screens.ts'
import type { Screen } from './screens/screen.ts'
import { settingScreens } from './screens/setting-screens.ts'
import { shareScreens } from './screens/share-screens.ts'
import { shellScreens } from './screens/shell-screens.ts'
import { taskScreens } from './screens/task-screens.ts'
import { userScreens } from './screens/user-screens.ts'
import { walletScreens } from './screens/wallet-screens.ts'

/** Every page in every state worth a screenshot. The rows of a page are in the file of its area. */
export const screens: readonly Screen[] = [
  ...firstScreens,
  ...entryScreens,
  ...listScreens,
  ...bodiesScreens,
  ...taskScreens,
  ...channelScreens,
  ...localModelsScreens,
  ...dashboardScreens,
  ...userScreens,
  ...settingScreens,
  ...personalScreens,
  ...walletScreens,
  ...shellScreens,
  ...chatScreens,
  ...backupScreens,
  ...shareScreens,
]
