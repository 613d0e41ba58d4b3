import { type UserSort, userRoles, userSorts, userStates } from '../../../shared/api/user-admin.ts'

/** The accounts' filter and order; empty texts do not filter. */
export type UserFilter = Readonly<{
  keyword: string
  group: string
  role: '' | (typeof userRoles)[number]
  status: '' | (typeof userStates)[number]
  sort: NonNullable<UserSort>
}>

/** The visible part of the list, stored in the address so that it works with history and links. */
export type ShownPart = Readonly<{
  filter: UserFilter
  /** From 0. */
  index: number
  /** Rows per page; undefined for the last choice. */
  size: number | undefined
}>

export const noFilter: UserFilter = { keyword: '', group: '', role: '', status: '', sort: '' }

export const isFiltered = ({ sort, ...filter }: UserFilter): boolean =>
  Object.values(filter).some((value) => value !== '')

const orders = [...userSorts, ...userSorts.map((name) => `-${name}` as const)]

/** Parses an address; missing and invalid parts have their defaults. */
export function readAddress(search: URLSearchParams): ShownPart {
  const text = (name: string) => search.get(name)?.trim() ?? ''
  const page = countIn(search.get('page'))
  return {
    filter: {
      keyword: text('keyword'),
      group: text('group'),
      role: userRoles.find((role) => role === text('role')) ?? '',
      status: userStates.find((status) => status === text('status')) ?? '',
      sort: orders.find((order) => order === text('sort')) ?? '',
    },
    index: page === undefined ? 0 : page - 1,
    size: countIn(search.get('size')),
  }
}

/** The address of a part of the list, without defaults. */
export function addressOf({ filter, index, size }: ShownPart): URLSearchParams {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (index > 0) search.set('page', String(index + 1))
  if (size !== undefined) search.set('size', String(size))
  return search
}

function countIn(text: string | null): number | undefined {
  const count = Number(text)
  return text && Number.isSafeInteger(count) && count > 0 ? count : undefined
}
