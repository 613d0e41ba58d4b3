import { describe, expect, it } from 'vitest'
import { withPlurals } from '../../shared/messages/plural.ts'

const requests = '{n|one:request|other:requests}'

describe('the forms of a word', () => {
  it.each([
    [0, 'requests'],
    [1, 'request'],
    ['1', 'request'],
    [1.5, 'requests'],
    ['1,001', 'requests'],
    ['10,000+', 'requests'],
    [undefined, 'requests'],
  ])('follow %s in English', (n, word) => {
    expect(withPlurals(requests, 'en', { n })).toBe(word)
  })

  it('take `other` where a language does not have the category', () => {
    expect(withPlurals('{n|other:个}', 'zh', { n: 1 })).toBe('个')
    expect(withPlurals('{n|few:a|other:b}', 'en', { n: 1 })).toBe('b')
  })

  it('may be part of several, and contain a colon', () => {
    expect(withPlurals(`${requests}, {m|one:a: b|other:c}`, 'en', { n: 2, m: 1 })).toBe('requests, a: b')
  })

  it('stay as they are without a value or a form for all others', () => {
    expect(withPlurals(requests, 'en', {})).toBe(requests)
    expect(withPlurals('{n|one:a} {a|b}', 'en', { n: 1, a: 1 })).toBe('{n|one:a} {a|b}')
  })
})
