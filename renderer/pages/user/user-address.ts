import { userRoles, userStates } from '../../../shared/api/user-admin.ts'

/** What accounts are looked for by; empty texts ask for nothing. */
export type UserFilter = Readonly<{
  keyword: string
  group: string
  role: '' | (typeof userRoles)[number]
  status: '' | (typeof userStates)[number]
}>

/** What of the list is seen: all of it stands in the address, so that it can be gone back to and handed on. */
export type ShownPart = Readonly<{
  filter: UserFilter
  /** From 0. */
  index: number
  /** Rows on a page; undefined is as many as were chosen last. */
  size: number | undefined
}>

/** All accounts. */
export const noFilter: UserFilter = { keyword: '', group: '', role: '', status: '' }

/** Whether the filter leaves anything out. */
export const isFiltered = (filter: UserFilter): boolean => Object.values(filter).some((value) => value !== '')

/** What an address shows; whatever it does not say, or says in vain, is as on a first visit. */
export function readAddress(search: URLSearchParams): ShownPart {
  const text = (name: string) => search.get(name)?.trim() ?? ''
  const page = countIn(search.get('page'))
  return {
    filter: {
      keyword: text('keyword'),
      group: text('group'),
      role: userRoles.find((role) => role === text('role')) ?? '',
      status: userStates.find((status) => status === text('status')) ?? '',
    },
    index: page === undefined ? 0 : page - 1,
    size: countIn(search.get('size')),
  }
}

/** The address of what is seen; it says no more than a first visit would not show. */
export function addressOf({ filter, index, size }: ShownPart): URLSearchParams {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (index > 0) search.set('page', String(index + 1))
  if (size !== undefined) search.set('size', String(size))
  return search
}

/** A whole number above 0. */
function countIn(text: string | null): number | undefined {
  const count = Number(text)
  return text && Number.isSafeInteger(count) && count > 0 ? count : undefined
}
