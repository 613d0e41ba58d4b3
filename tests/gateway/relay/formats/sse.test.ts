import { describe, expect, it, vi } from 'vitest'
import { createLineReader } from '../../../../gateway/relay/formats/sse.ts'

describe('events that are left out', () => {
  const reader = () => createLineReader((payload) => (payload === '1' ? 'drop' : 'keep'))

  it.each([
    ['of wide characters', Buffer.from('data: "é"\n\n')],
    ['that are no UTF-8', Buffer.from('data: \xff\n\n', 'latin1')],
    ['after a byte order mark', Buffer.from('\ufeffdata: "é"\n\n')],
  ])('leave the bytes of the others unchanged: %s', (_, kept) => {
    const left = Buffer.from('data: 1\n\n')
    const stream = [left, kept, kept, left, left, kept]
    const begins = kept.includes(0xbb) ? stream.slice(1) : stream
    const expected = Buffer.concat(begins.filter((part) => part === kept))
    expect(reader().feed(Buffer.concat(begins))).toEqual(expected)
  })

  it('are looked for once, however many come at once', () => {
    const count = 500
    const bytes = Buffer.from(`data: "é"\n\n${'data: 1\n\n'.repeat(count)}`)
    const looks = vi.spyOn(Buffer.prototype, 'indexOf')
    const out = reader().feed(bytes)
    const looked = looks.mock.calls.length
    looks.mockRestore()
    expect(out.toString()).toBe('data: "é"\n\n')
    expect(looked).toBeLessThanOrEqual(2 * count + 10)
  })
})
