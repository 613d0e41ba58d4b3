import { afterAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../gateway/base/logger.ts'
import { audioSeconds } from '../../gateway/relay/tokenizer/audio-length.ts'
import { createTokenCounter } from '../../gateway/relay/tokenizer/counter.ts'
import { aClock } from '../support/clock.ts'

/** How often the event loop came round while `work` was going on. */
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

/** The machine may be busy with other tests: here no count is given up for its time. */
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

describe('text made to hold the tokenizer up (docs/reference/tokens.md#exact-counts)', () => {
  it('finds the event loop going on while the vocabulary is loaded', async () => {
    expect(await turnsDuring(() => counter.count('gpt-4o', ['hello']))).toBeGreaterThan(10)
  })

  it.each(Object.entries(attacks))('%s is counted while the event loop goes on', async (_, text) => {
    const turns = await turnsDuring(async () => {
      expect(await counter.count('gpt-4o', [text])).toMatchObject({ source: 'counted' })
    })
    expect(turns).toBeGreaterThan(10)
  })
})

describe('a recording made to hold its parser up', () => {
  it.each([
    [
      'a box for every eight bytes',
      Buffer.concat([Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0'), Buffer.alloc(200_000, '\0\0\0\x08free')]),
    ],
    ['frames that never begin', Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0'), Buffer.alloc(50_000, 0xff)])],
    [
      'chunks without content',
      Buffer.concat([Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1'), Buffer.alloc(200_000, 'junk\0\0\0\0')]),
    ],
  ])('%s: the event loop goes on', async (_, bytes) => {
    const turns = await turnsDuring(async () => expect(await audioSeconds(bytes)).toBeLessThanOrEqual(24 * 3600))
    expect(turns).toBeGreaterThan(10)
  })
})
