import type { ManagedUser } from '../../../shared/api/user-admin.ts'

/** The address of the list of accounts; which part of it is seen stands behind it (user-address.ts). */
export const listPath = '/user'
/** The address of the form of a new account. */
export const newPath = '/user/new'
/** The address of the links that let people in. */
export const invitePath = '/user/invite'
/** The address of an account's form. */
export const editPath = ({ id }: Pick<ManagedUser, 'id'>): string => `/user/edit/${id}`

/** The state of a navigation from the list: closing what it opens leads back there, with nothing left behind. */
export const fromList = { from: 'users' } as const
/** Whether a navigation came from the list. */
export const isFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === fromList.from
