import type { ManagedUser } from '../../../shared/api/user-admin.ts'

/** The account list; its query string identifies the visible part (user-address.ts). */
export const listPath = '/user'
export const newPath = '/user/new'
export const invitePath = '/user/invite'
export const editPath = ({ id }: Pick<ManagedUser, 'id'>): string => `/user/edit/${id}`
export const quotaPath = ({ id }: Pick<ManagedUser, 'id'>): string => `/user/quota/${id}`

/** Navigation state set by the list: closing a drawer goes back to the list without a history entry. */
export const fromList = { from: 'users' } as const
export const isFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === fromList.from
