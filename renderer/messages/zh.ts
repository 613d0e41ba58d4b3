import type { en } from './en.ts'
import { channel } from './zh/channel.ts'
import { channelEditor } from './zh/channel-editor.ts'
import { channelList } from './zh/channel-list.ts'
import { channelTests } from './zh/channel-tests.ts'
import { connect } from './zh/connect.ts'
import { frame } from './zh/frame.ts'
import { home } from './zh/home.ts'
import { ledger } from './zh/ledger.ts'
import { log } from './zh/log.ts'
import { playground } from './zh/playground.ts'
import { routing } from './zh/routing.ts'
import { token } from './zh/token.ts'

/** All texts in Chinese. */
export const zh = {
  ...frame,
  ...home,
  ...channel,
  ...channelEditor,
  ...channelList,
  ...log,
  ...playground,
  ...connect,
  ...token,
  ...routing,
  ...channelTests,
  ...ledger,
} satisfies Record<keyof typeof en, string>
