import type { ApiCall } from '../../../shared/api/call.ts'
import { role } from '../../../shared/enums.ts'
import type { Actor } from '../actor.ts'

/** Whether a demo site reserves a call for root: one that changes something, or that charges others. */
export const isRootOnly = ({ method, onDemo }: ApiCall): boolean =>
  (onDemo ?? (method === 'GET' ? 'open' : 'closed')) === 'closed'

/** Whether this caller gets the notice that the site is a demo (docs/reference/api.md#demo-sites). */
export const isOnlyShown = (call: ApiCall, actor: Actor | undefined): boolean =>
  isRootOnly(call) && (actor?.role ?? role.visitor) < role.root
