import { describe, expect, it } from 'vitest'
import { differenceOf } from '../../../../renderer/pages/setting/history/difference.ts'

const json = (before: unknown, after: unknown) =>
  differenceOf(JSON.stringify(before), JSON.stringify(after), { isJson: true })
const text = (before: string, after: string, separator?: string) =>
  differenceOf(before, after, { isJson: false, ...(separator && { separator }) })

describe('the difference between two values of a setting (docs/reference/screens.md#settings-history)', () => {
  it('of objects is listed by member, nested ones by their path', () => {
    const before = { 'gpt-4o': 1.25, gone: 2, same: 3, vip: { default: 1, svip: 0.5 } }
    const after = { 'gpt-4o': 1.5, same: 3, fresh: 0, vip: { default: 1, svip: 0.4 } }
    expect(json(before, after)).toEqual({
      kind: 'members',
      members: [
        { path: ['gpt-4o'], before: '1.25', after: '1.5' },
        { path: ['gone'], before: '2', after: undefined },
        { path: ['vip', 'svip'], before: '0.5', after: '0.4' },
        { path: ['fresh'], before: undefined, after: '0' },
      ],
    })
  })

  it('of objects treats every name as a plain name, and an object as one value where the other side has none', () => {
    const before = '{"toString":1}'
    expect(differenceOf(before, '{"constructor":{"a":1}}', { isJson: true })).toEqual({
      kind: 'members',
      members: [
        { path: ['toString'], before: '1', after: undefined },
        { path: ['constructor'], before: undefined, after: '{"a":1}' },
      ],
    })
    expect(json({ a: 1 }, { a: '1' })).toMatchObject({ members: [{ before: '1', after: '"1"' }] })
  })

  it('of lists is listed by entry, each as often as it occurs', () => {
    expect(json(['a', 'b', 'b'], ['b', 'c'])).toEqual({
      kind: 'entries',
      removed: ['a', 'b'],
      added: ['c'],
      isReordered: false,
    })
    expect(json([{ One: 'https://a' }], [])).toMatchObject({ removed: ['{"One":"https://a"}'] })
    expect(json(['a', 'b'], ['b', 'a'])).toMatchObject({ removed: [], added: [], isReordered: true })
  })

  it('of texts is listed by line or entry where there are several, else as they are', () => {
    expect(text('2', '5')).toEqual({ kind: 'value', before: '2', after: '5' })
    expect(text('', 'one\ntwo')).toEqual({ kind: 'entries', removed: [], added: ['one', 'two'], isReordered: false })
    expect(text('a.com,b.com', 'a.com', ',')).toMatchObject({ removed: ['b.com'], added: [] })
  })

  it('of invalid JSON, or of different kinds on each side, is the texts themselves', () => {
    expect(differenceOf('{"a":', '{}', { isJson: true }).kind).toBe('value')
    expect(json({}, [])).toEqual({ kind: 'value', before: '{}', after: '[]' })
  })
})
