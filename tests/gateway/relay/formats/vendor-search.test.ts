import { describe, expect, it } from 'vitest'
import { fencedWords, searchWords, type VendorSearch } from '../../../../gateway/relay/formats/vendor-search.ts'

const search = (members: Partial<VendorSearch>): VendorSearch => ({
  id: 'ws_1',
  action: 'search',
  queries: [],
  pages: [],
  ...members,
})

describe('a search as text (docs/reference/conversion.md#vendor-searches)', () => {
  it('contains all that is known of it', () => {
    expect(searchWords(search({}))).toBe('\n(The web was searched.)\n')
    expect(searchWords(search({ queries: ['a "b"', ''] }))).toBe('\n(The web was searched for "a \\"b\\"".)\n')
    expect(searchWords(search({ action: 'open' }))).toBe('\n(A page was opened.)\n')
    expect(searchWords(search({ action: 'find', url: 'https://a.example', pattern: 'x', isFailed: true }))).toBe(
      '\n(The page https://a.example was searched for "x", which failed.)\n',
    )
  })

  it('is bounded, and cuts no character in two', () => {
    const long = `${'x'.repeat(299)}👋${'x'.repeat(10_000)}`
    const pages = Array.from({ length: 500 }, (_, n) => ({ url: `https://a.example/${n}${long}`, title: long }))
    const words = searchWords(search({ queries: Array.from({ length: 500 }, () => long), pages }))
    expect(words.length).toBeLessThan(20_000)
    expect(words.isWellFormed()).toBe(true)
    expect(words.match(/^- /gm)).toHaveLength(20)
    expect(fencedWords('python', long.repeat(10)).length).toBeLessThan(4100)
  })
})
