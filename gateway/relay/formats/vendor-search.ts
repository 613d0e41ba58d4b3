import type { Format } from './format.ts'

type FoundPage = Readonly<{ url: string; title: string }>

/**
 * A vendor's web activity: a search, opening a page, or finding a text on one
 * (docs/reference/conversion.md#vendor-searches).
 */
export type VendorSearch = Readonly<{
  id: string
  action: 'search' | 'open' | 'find'
  queries: readonly string[]
  url?: string | undefined
  pattern?: string | undefined
  pages: readonly FoundPage[]
  isFailed?: true | undefined
}>

/** A search in earlier turns, and the vendor that ran it. */
export type EarlierSearch = Readonly<{ by: Format; search: VendorSearch }>

/** Max characters of a query, pattern, title or URL, and max queries and pages of a search that are described. */
const MAX_CHARACTERS = 300
const MAX_PAGES = 20
const MAX_CODE = 4000

/**
 * Describes a search for vendors that did not run it: always the same text for the same search, on separate lines, of
 * limited length.
 */
export function searchWords({ action, queries, url, pattern, pages, isFailed }: VendorSearch): string {
  const page = url === undefined ? 'A page' : `The page ${cut(url)}`
  if (action === 'open') return parenthesized(`${page} was opened${failure(isFailed)}.`)
  if (action === 'find') return parenthesized(`${page} was searched${of([pattern ?? ''])}${failure(isFailed)}.`)
  const found = pages.slice(0, MAX_PAGES).map((each) => `${titled(each)}${cut(each.url)}`)
  const list = found.length === 0 ? '' : ` It found:\n- ${found.join('\n- ')}`
  return parenthesized(`The web was searched${of(queries)}${failure(isFailed)}.${list}`)
}

export const fencedWords = (language: string, text: string): string =>
  `\n\`\`\`${language}\n${cut(text.replace(/\n$/, ''), MAX_CODE)}\n\`\`\`\n`

const parenthesized = (text: string): string => `\n(${text})\n`

const failure = (isFailed: true | undefined): string => (isFailed ? ', which failed' : '')

function of(queries: readonly string[]): string {
  const given = queries.filter((query) => query !== '').slice(0, MAX_PAGES)
  return given.length === 0 ? '' : ` for ${given.map((query) => JSON.stringify(cut(query))).join(', ')}`
}

const titled = ({ url, title }: FoundPage): string => (title === '' || title === url ? '' : `${cut(title)}: `)

const cut = (text: string, max = MAX_CHARACTERS): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`
