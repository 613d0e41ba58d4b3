import { describe, expect, it } from 'vitest'
import { firstTokenMs, shortRate, tokensPerSecond } from '../../../../renderer/pages/playground/figures.ts'

const spent = { prompt: 10, completion: 100 }

describe('the figures of an answer (docs/reference/screens.md#playground)', () => {
  it('takes the time to the first token from the usage log, else as the browser saw it', () => {
    expect(firstTokenMs({ spent: { ...spent, firstMs: 300 }, timing: { firstMs: 400, totalMs: 900 } })).toBe(300)
    expect(firstTokenMs({ spent, timing: { firstMs: 400, totalMs: 900 } })).toBe(400)
    expect(firstTokenMs({})).toBeUndefined()
  })

  it('counts tokens a second from the first words on, and over all where they came at once', () => {
    expect(tokensPerSecond({ spent, timing: { firstMs: 500, totalMs: 2500 } })).toBe(50)
    expect(tokensPerSecond({ spent, timing: { firstMs: 1960, totalMs: 2000 } })).toBe(50)
    expect(tokensPerSecond({ spent })).toBeUndefined()
    expect(tokensPerSecond({ spent: { ...spent, completion: 0 }, timing: { totalMs: 10 } })).toBeUndefined()
  })

  it('writes them short', () => {
    expect([0.44, 9.96, 48.2, 11_236].map(shortRate)).toEqual(['0.4', '10.0', '48', '11,236'])
  })
})
