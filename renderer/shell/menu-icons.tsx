import {
  Chat,
  Cog,
  DataConnection,
  Dollar,
  Endorsed,
  FlowBranch,
  History,
  Key,
  Link,
  Media,
  Music,
  People,
  Route,
  User,
} from '@blueprintjs/icons'
import type { JSX } from 'react'

/** The icons of the pages in the menu, by their paths; the first view does without them. */
export const menuIcons: Readonly<Record<string, JSX.Element>> = {
  '/playground': <Chat />,
  '/connect/client': <Link />,
  '/token': <Key />,
  '/log': <History />,
  '/midjourney': <Media />,
  '/task': <Music />,
  '/pricing': <Dollar />,
  '/channel': <FlowBranch />,
  '/explain-routing': <Route />,
  '/connect/provider': <DataConnection />,
  '/ledger': <Endorsed />,
  '/user': <People />,
  '/setting': <Cog />,
  '/personal': <User />,
}
