import type { ApiCall } from '../../../shared/api/call.ts'
import { role } from '../../../shared/enums.ts'
import type { Actor } from '../actor.ts'

/** Whether a site for demonstration keeps a call to root: what changes something, or has others charged for it. */
export const isKeptToRoot = ({ method, onDemo }: ApiCall): boolean =>
  (onDemo ?? (method === 'GET' ? 'open' : 'closed')) === 'closed'

/** Whether this caller is told that the site is for demonstration only (docs/reference/api.md#demo-sites). */
export const isOnlyShown = (call: ApiCall, actor: Actor | undefined): boolean =>
  isKeptToRoot(call) && (actor?.role ?? role.visitor) < role.root
