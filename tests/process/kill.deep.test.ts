import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aHouse, type Books, FUNDS, type House, PROMPT, question, type Seen, seenBy } from './house.ts'

describe('kill -9 while a hundred streams run (docs/reference/reliability.md#faults)', () => {
  it('charges every answer seen to its end exactly once, and no other more than was delivered', async () => {
    const house = await aHouse()
    const expected = new Map<string, number>()
    const loose = new Map<string, number>()
    for (let round = 0; round < 3; round += 1) {
      const child = await house.start()
      const lengths = Array.from({ length: 100 }, (_, index) => 3 + ((index * 7 + round) % 50))
      let finished = 0
      const seen = await Promise.all(
        lengths.map(async (pieces, index) => {
          const one = await seenBy(child.url, { key: house.keys[index % 3], content: question(pieces, 15) })
          finished += 1
          if (finished === 30 + round * 15) child.kill('SIGKILL')
          return one
        }),
      )
      expect((await child.ended).signal).toBe('SIGKILL')
      for (const [index, { requestId, done }] of seen.entries()) {
        const length = lengths[index] ?? 0
        if (done) expected.set(requestId, PROMPT + length)
        // On a busy machine a stream may be old enough for a checkpoint, which has no usage from the vendor.
        else loose.set(requestId, mostEstimated(length))
      }
      expect(seen.filter(({ done }) => done).length).toBeGreaterThan(20)
      expect(seen.filter(({ done, pieces }) => !done && pieces > 0).length).toBeGreaterThan(5)
      await endedWell(house)
    }
    expectExact(await house.books(), expected, loose)
    await expectAllToSpend(house)
  })

  it('charges the last checkpoint of a stream that ran for long', async () => {
    const house = await aHouse()
    const child = await house.start()
    const seen: Promise<Seen>[] = []
    for (let index = 0; index < 6; index += 1)
      seen.push(seenBy(child.url, { key: house.keys[index % 3], content: question(1000, 20) }))
    const progress = join(house.folder, 'progress.journal')
    await expect.poll(() => readFileSync(progress, 'utf8').split('\n')).toHaveLength(6 + 1)
    child.kill('SIGKILL')
    const streams = await Promise.all(seen)
    await endedWell(house)
    const { wrong, charges, logged } = await house.books()
    expect(wrong).toEqual([])
    expect(logged).toEqual(charges)
    const charged = new Map(charges)
    expect([...charged.keys()].sort()).toEqual(streams.map(({ requestId }) => requestId).sort())
    for (const { requestId, pieces } of streams) {
      expect(charged.get(requestId)).toBeGreaterThan(100)
      expect(charged.get(requestId)).toBeLessThanOrEqual(mostEstimated(pieces))
    }
  })
})

/** Without usage from the vendor a piece is estimated as about three tokens, and the prompt as a few. */
const mostEstimated = (pieces: number): number => pieces * 3.5 + 30

async function endedWell(house: House): Promise<void> {
  const child = await house.start()
  child.kill('SIGTERM')
  expect(await child.ended).toMatchObject({ code: 0, err: '' })
}

/** Expects no holds: a request for more than the balance gets all of it, less the prompt. */
async function expectAllToSpend(house: House): Promise<void> {
  const { left } = await house.books()
  const child = await house.start()
  for (const [index, key] of house.keys.entries()) {
    const body = { stream: false, max_tokens: FUNDS * 2 }
    expect((await seenBy(child.url, { key, content: question(1, 0), body })).status).toBe(200)
    const prompt = (left[index] ?? 0) - house.upstream.last().json.max_tokens
    expect(prompt).toBeGreaterThan(0)
    expect(prompt).toBeLessThan(100)
  }
  child.kill('SIGTERM')
  await child.ended
}

function expectExact(
  { wrong, charges, logged }: Books,
  finished: Map<string, number>,
  loose: Map<string, number>,
): void {
  expect(wrong).toEqual([])
  expect(logged).toEqual(charges)
  const charged = new Map(charges)
  expect(charged.size, 'no request is charged twice').toBe(charges.length)
  for (const [requestId, quota] of finished) expect(charged.get(requestId), requestId).toBe(quota)
  for (const [requestId, quota] of charges)
    if (!finished.has(requestId)) expect(quota).toBeLessThanOrEqual(loose.get(requestId) ?? 0)
}
