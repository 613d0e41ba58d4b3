import type { Format } from './format.ts'

/** A page that a search has found. */
type FoundPage = Readonly<{ url: string; title: string }>

/**
 * What a vendor did on the web by itself: it searched, opened a page, or looked for a text on one
 * (docs/reference/conversion.md#searches-of-vendors).
 */
export type VendorSearch = Readonly<{
  /** What the vendor calls it. */
  id: string
  action: 'search' | 'open' | 'find'
  /** What was searched for. */
  queries: readonly string[]
  /** The page that was opened, or looked through. */
  url?: string | undefined
  /** What was looked for on a page. */
  pattern?: string | undefined
  /** What a search has found, where that is known. */
  pages: readonly FoundPage[]
  isFailed?: true | undefined
}>

/** A search among earlier turns, and whose vendor ran it. */
export type ToldSearch = Readonly<{ by: Format; search: VendorSearch }>

/** Characters of one query, title or address, and how many pages of a search are told. */
const MAX_CHARACTERS = 300
const MAX_PAGES = 20
/** Characters of a program, and of what it printed. */
const MAX_CODE = 4000

/**
 * A search in words, for vendors that did not run it: the same for the same search, and no longer than some thousand
 * characters. It stands in lines of its own.
 */
export function searchWords({ action, queries, url, pattern, pages, isFailed }: VendorSearch): string {
  const page = url === undefined ? 'A page' : `The page ${cut(url)}`
  if (action === 'open') return said(`${page} was opened${failure(isFailed)}.`)
  if (action === 'find') return said(`${page} was searched${of([pattern ?? ''])}${failure(isFailed)}.`)
  const found = pages.slice(0, MAX_PAGES).map((each) => `${titled(each)}${cut(each.url)}`)
  const list = found.length === 0 ? '' : ` It found:\n- ${found.join('\n- ')}`
  return said(`The web was searched${of(queries)}${failure(isFailed)}.${list}`)
}

/** Code that a vendor ran, or what it printed, in a fence of that language. */
export const fencedWords = (language: string, text: string): string =>
  `\n\`\`\`${language}\n${cut(text.replace(/\n$/, ''), MAX_CODE)}\n\`\`\`\n`

const said = (words: string): string => `\n(${words})\n`

const failure = (isFailed: true | undefined): string => (isFailed ? ', which failed' : '')

function of(queries: readonly string[]): string {
  const given = queries.filter((query) => query !== '').slice(0, MAX_PAGES)
  return given.length === 0 ? '' : ` for ${given.map((query) => JSON.stringify(cut(query))).join(', ')}`
}

const titled = ({ url, title }: FoundPage): string => (title === '' || title === url ? '' : `${cut(title)}: `)

/** A text of a bounded length; no character is cut in two. */
const cut = (text: string, max = MAX_CHARACTERS): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`
