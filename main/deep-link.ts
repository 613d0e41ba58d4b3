export const LINK_SCHEME = 'switchyard'

/** Console pages that a link may open; links only navigate. */
const pages: ReadonlySet<string> = new Set([
  'channel',
  'connect/client',
  'connect/provider',
  'detail',
  'jobs',
  'log',
  'personal',
  'playground',
  'pricing',
  'setting',
  'token',
  'topup',
  'user',
])

/**
 * The console page of a link such as `switchyard://open/log`; the root page if the link names no known page. Undefined
 * for other text, and for links of more than 200 characters. Anything else in the link is dropped, because any web page
 * may create one.
 */
export function pageOfLink(text: string): string | undefined {
  const url = text.length <= 200 ? URL.parse(text) : null
  if (url?.protocol !== `${LINK_SCHEME}:`) return undefined
  const page = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '')
  return url.hostname === 'open' && pages.has(page) ? `/${page}` : '/'
}

/** The page of the first link in a program's arguments; undefined if there is none. */
export function pageInArguments(args: readonly string[]): string | undefined {
  return args.map(pageOfLink).find((page) => page !== undefined)
}
