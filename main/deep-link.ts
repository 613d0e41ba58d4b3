/** What a link of ours begins with. */
export const LINK_SCHEME = 'switchyard'

/** Pages of the console that a link may open: it shows something, it never does anything. */
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
 * The page of the console that a link such as `switchyard://open/log` means; the first page where it names none that there is.
 * Undefined for text that is no link of ours. Whatever else stands in it is dropped: any web page may write such a link.
 */
export function pageOfLink(text: string): string | undefined {
  const url = text.length <= 200 ? URL.parse(text) : null
  if (url?.protocol !== `${LINK_SCHEME}:`) return undefined
  const page = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '')
  return url.hostname === 'open' && pages.has(page) ? `/${page}` : '/'
}

/** The page of the first link in the arguments of a program; undefined where there is none. */
export function pageInArguments(words: readonly string[]): string | undefined {
  return words.map(pageOfLink).find((page) => page !== undefined)
}
