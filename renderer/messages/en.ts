import { channel } from './en/channel.ts'
import { channelEditor } from './en/channel-editor.ts'
import { channelList } from './en/channel-list.ts'
import { channelTests } from './en/channel-tests.ts'
import { connect } from './en/connect.ts'
import { frame } from './en/frame.ts'
import { home } from './en/home.ts'
import { ledger } from './en/ledger.ts'
import { log } from './en/log.ts'
import { playground } from './en/playground.ts'
import { routing } from './en/routing.ts'
import { token } from './en/token.ts'

/** Texts that only the console shows, in English; the rest are in shared/messages. */
export const en = {
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
}
