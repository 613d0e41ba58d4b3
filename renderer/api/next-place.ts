/** A place of the console, in the parts of its address. */
export type Place = Readonly<{ pathname: string; search: string; hash: string }>

/** Where a success of the login lands (docs/reference/screens.md#login). */
export const landing = '/token'

/** Places nobody needs to be led back to: the landing itself, and those that are left by signing in. */
export const isHome = ({ pathname, search, hash }: Place): boolean =>
  before.test(pathname) || ([landing, '/'].includes(pathname) && search === '' && hash === '')

/**
 * The place that `next` in an address of the login leads to: a path of this console, whatever else is written there. The
 * browser's own reading decides, and nothing that it would read as another host comes through: neither `//host` nor `/\host`,
 * nor white space or dots that become one.
 */
export function nextPlace(next: string | null, origin: string): string {
  if (next === null || !next.startsWith('/')) return landing
  const url = URL.parse(next, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//') || before.test(url.pathname)) return landing
  return url.pathname + url.search + url.hash
}

/** The address of a page of who is not signed in, which keeps where they are to be led once they are. */
export const withNext = (path: string, next: string | null): string =>
  next === null ? path : `${path}?${new URLSearchParams({ next })}`

/** Pages of who is not signed in, and those that a provider leads back to. */
const before = /^\/(login|register|reset|setup|oauth|user\/reset)(\/|$)/
