import {
  AutomaticUpdates,
  BankAccount,
  Barcode,
  Chart,
  Chat,
  Cog,
  DataConnection,
  Dollar,
  Endorsed,
  FlowBranch,
  History,
  Key,
  Link,
  People,
  Route,
  User,
} from '@blueprintjs/icons'
import type { JSX } from 'react'

/** The icons of the pages in the menu, by their paths; the first view does without them. */
export const menuIcons: Readonly<Record<string, JSX.Element>> = {
  '/playground': <Chat />,
  '/connect/client': <Link />,
  '/detail': <Chart />,
  '/token': <Key />,
  '/log': <History />,
  '/pricing': <Dollar />,
  '/channel': <FlowBranch />,
  '/explain-routing': <Route />,
  '/connect/provider': <DataConnection />,
  '/ledger': <Endorsed />,
  '/jobs': <AutomaticUpdates />,
  '/redemption': <Barcode />,
  '/user': <People />,
  '/setting': <Cog />,
  '/topup': <BankAccount />,
  '/personal': <User />,
}
