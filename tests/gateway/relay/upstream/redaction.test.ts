import { describe, expect, it, vi } from 'vitest'
import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import { withoutKeysIn, withoutKnown, withoutKnownIn } from '../../../../gateway/relay/upstream/redaction.ts'
import { workOf } from '../../../support/work-of.ts'

const KEY = 'canary-Zq81-of-the-channel'
const OTHER = 'canary-Zq81'.repeat(20)
const channel = {
  key: KEY,
  allKeys: [KEY, OTHER],
  secrets: [],
  baseUrl: 'https://vendor.example',
} as unknown as ActiveChannel // the only members that are read

describe('a long text of a vendor’s (docs/reference/errors.md#never-disclosed)', () => {
  it('contains no part of a key where it is cut', () => {
    for (let before = 65_536 - KEY.length - 2; before <= 65_537; before += 1)
      expect(withoutKnown(`${'x'.repeat(before)}${KEY} and more`, channel)).toMatch(/^x+(\*\*\*)?( ?a?n?d?)?$/)
  })

  it('is preserved to its end where it is not cut, though a key begins like that', () => {
    for (const length of [20, 16_384, 65_536]) {
      const whole = `${'x'.repeat(length - 6)}canary`
      expect([withoutKnown(whole, channel), withoutKnownIn([whole.slice(-16_384)], channel)]).toEqual([
        whole,
        [whole.slice(-16_384)],
      ])
    }
    expect(withoutKnown(`${'x'.repeat(65_530)}canary-`, channel)).toBe('x'.repeat(65_530))
  })
})

describe('the texts of a vendor’s JSON (docs/reference/errors.md#never-disclosed)', () => {
  it('are cut together, but members retain their names, without keys', () => {
    const value = { [`a ${KEY}`]: Array.from({ length: 40 }, () => 'x'.repeat(16_384)), first: 'one', second: 'two' }
    const told = withoutKnownIn(value, channel)
    expect(Object.keys(told as object)).toEqual(['a ***', 'first', 'second'])
    expect(told).toMatchObject({ first: '', second: '' })
  })

  it('are cut in little time, with a thousand keys and many texts', async () => {
    const allKeys = Array.from({ length: 1000 }, (_, n) => `canary-${n}`.repeat(5))
    const pool = { ...channel, allKeys } as unknown as ActiveChannel // the only members that are read
    const value = ['x'.repeat(524_288), ...Array(130_000).fill('a')]
    expect(await workOf(() => withoutKnownIn(value, pool))).toBeLessThan(1000)
  })

  it('have every key masked: one within another, one that begins within another, and one right behind another', () => {
    const other = 'channel-and-more'
    const both = { ...channel, allKeys: [KEY, other, KEY.slice(0, 12)] } as unknown as ActiveChannel // the only members that are read
    const text = `${KEY}-and-more, ${KEY}${KEY}, ${KEY.slice(0, 12)}, ${KEY.slice(0, 11)}, ${other}`
    const clean = `***, ******, ***, ${KEY.slice(0, 11)}, ***`
    expect(withoutKeysIn({ [text]: [text, 7] }, both)).toEqual({ [clean]: [clean, 7] })
  })

  it('are walked through once, however many keys there are', () => {
    const keys = Array.from({ length: 1000 }, (_, n) => `sk-proj-${String(n).padStart(40, 'k')}`)
    const many = { ...channel, key: keys[0], allKeys: keys } as unknown as ActiveChannel // the only members that are read
    const seen = vi.spyOn(String.prototype, 'replaceAll')
    const value = [`${'sk-proj-'.repeat(63_000)}${keys[999]}`]
    expect(withoutKeysIn(value, many)).toEqual([`${'sk-proj-'.repeat(63_000)}***`])
    expect(seen).not.toHaveBeenCalled()
  })
})
