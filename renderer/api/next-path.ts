export type PageLocation = Readonly<{ pathname: string; search: string; hash: string }>

/** The page after login (docs/reference/screens.md#login). */
export const startPage = '/detail'

/** Pages that need no return after login: the start page, the home page and the signed-out pages. */
export const isHome = ({ pathname, search, hash }: PageLocation): boolean =>
  signedOutPages.test(pathname) || ([startPage, '/'].includes(pathname) && search === '' && hash === '')

/**
 * Returns the console path given in the login page's `next` parameter, or `otherwise`. The browser parses it, so that
 * no text that would resolve to another host is accepted: `//host`, `/\host`, or variants of these with white space or
 * dots.
 */
export function nextPath(next: string | null, origin: string, otherwise: string = startPage): string {
  if (next === null || !next.startsWith('/')) return otherwise
  const url = URL.parse(next, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//') || signedOutPages.test(url.pathname)) return otherwise
  return url.pathname + url.search + url.hash
}

export const withNext = (path: string, next: string | null): string =>
  next === null ? path : `${path}?${new URLSearchParams({ next })}`

/** Signed-out pages and OAuth return pages. */
const signedOutPages = /^\/(login|register|reset|setup|oauth|user\/reset)(\/|$)/
