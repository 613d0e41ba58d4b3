import { afterAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../gateway/base/log/logger.ts'
import { createTokenCounter } from '../../gateway/relay/tokenizer/counter.ts'
import { aClock } from '../support/clock.ts'

/** The number of turns of the event loop during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const turn = () => {
    turns += 1
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  over = true
  return turns
}

/** The clock is fixed, so that no count times out on a machine that is busy with other tests. */
const counter = createTokenCounter({ clock: aClock(0), log: silentLogger, limits: { timeoutMs: 600_000 } })
afterAll(counter.close)

const attacks: Readonly<Record<string, string>> = {
  'a run of one letter': 'a'.repeat(100_000),
  'a megabyte without spaces': 'QWxhZGRpbjpvcGVuU2VzYW1l'.repeat(43_700),
  'capitals, which the pattern tries twice': 'A'.repeat(200_000),
  'nothing but spaces': ' '.repeat(200_000),
  'mixed emoji': '👩‍👩‍👧👍🏽🇨🇳'.repeat(10_000),
  'rare characters': Array.from({ length: 100_000 }, (_, at) =>
    String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)),
  ).join(''),
  'accents without letters': '\u0301'.repeat(100_000),
  'broken surrogates': '\ud800'.repeat(100_000),
  'marks of the model’s own': '<|endoftext|><|im_start|>'.repeat(10_000),
}

describe('text made to block the tokenizer (docs/reference/tokens.md#exact-counts)', () => {
  it('finds the event loop going on while the vocabulary is loaded', async () => {
    expect(await turnsDuring(() => counter.count(1, 'gpt-4o', ['hello']))).toBeGreaterThan(10)
  })

  it.each(Object.entries(attacks))('%s is counted while the event loop continues', async (_, text) => {
    const turns = await turnsDuring(async () => {
      expect(await counter.count(1, 'gpt-4o', [text])).toMatchObject({ source: 'counted' })
    })
    expect(turns).toBeGreaterThan(10)
  })
})
