import { describe, expect, it } from 'vitest'
import { aHouse, PROMPT, question, type Seen, seenBy } from './house.ts'

describe('SIGTERM (docs/reference/reliability.md#stopping)', () => {
  it('lets twenty running streams end, bills them and exits 0', async () => {
    const house = await aHouse()
    const child = await house.start({ DRAIN_S: '20' })
    const { all } = await flowing(
      child.url,
      house.keys[0],
      Array.from({ length: 20 }, (_, index) => [20 + index, 30]),
    )
    child.kill('SIGTERM')
    const seen = await all
    expect(await child.ended).toMatchObject({ code: 0, signal: null, err: '' })
    expect(seen.map(({ done, pieces }) => [done, pieces])).toEqual(seen.map((_, index) => [true, 20 + index]))
    const { wrong, charges, logged } = await house.books()
    expect(wrong).toEqual([])
    expect(logged).toEqual(charges)
    expect(new Map(charges)).toEqual(new Map(seen.map(({ requestId, pieces }) => [requestId, PROMPT + pieces])))
  })

  it('ends an endless stream after DRAIN_S with an error event, settled, and exits 0', async () => {
    const house = await aHouse()
    const child = await house.start({ DRAIN_S: '1' })
    const { all } = await flowing(child.url, house.keys[2], [[12, 0, true]])
    // A second gateway, with a longer limit, receives the signal at the same moment.
    const others = await aHouse()
    const patient = await others.start({ DRAIN_S: '20' })
    const { all: held } = await flowing(patient.url, others.keys[2], [[12, 0, true]])
    const first = Promise.race([child.ended.then(() => 'one second'), patient.ended.then(() => 'twenty')])
    const started = performance.now()
    for (const each of [child, patient]) each.kill('SIGTERM')
    await hasHeard(child.url, house.keys[0])
    expect(await refusal(child.url, house.keys[0])).not.toBe(200)
    const [seen] = await all
    expect(await child.ended).toMatchObject({ code: 0, signal: null, err: '' })
    expect(performance.now() - started).toBeGreaterThan(900)
    expect(await first).toBe('one second')
    patient.kill('SIGTERM')
    await held
    expect(seen).toMatchObject({ done: false, pieces: 12 })
    expect(seen?.text).toMatch(/data: \{"error":\{.*\}\}\n\n$/)
    const { wrong, charges, logged } = await house.books()
    expect(wrong).toEqual([])
    expect(logged).toEqual(charges)
    expect(charges).toEqual([[seen?.requestId, expect.any(Number)]])
    expect(charges[0]?.[1]).toBeGreaterThan(12)
    expect(await house.upstream.last().aborted).toBe(true)
  })

  it('ends at once when it comes twice, and the ledger is whole', async () => {
    const house = await aHouse()
    const child = await house.start({ DRAIN_S: '60' })
    const { all } = await flowing(child.url, house.keys[0], [[5, 0, true]])
    const finished = await seenBy(child.url, { key: house.keys[1], content: question(3, 0) })
    child.kill('SIGTERM')
    await hasHeard(child.url, house.keys[1])
    child.kill('SIGTERM')
    expect(await child.ended).toMatchObject({ code: 1, signal: null })
    // No stream was ended, as all are once DRAIN_S is over.
    const [cut] = await all
    expect(cut?.done).toBe(false)
    expect(cut?.text).not.toContain('"error"')
    const again = await house.start()
    again.kill('SIGTERM')
    expect(await again.ended).toMatchObject({ code: 0 })
    const { wrong, charges } = await house.books()
    expect(wrong).toEqual([])
    expect(charges).toEqual([[finished.requestId, PROMPT + 3]])
  })
})

type Question = readonly [pieces: number, gapMs: number, endless?: boolean]

/** Sends requests, and resolves once every stream has started; `all` resolves when they have ended. */
async function flowing(url: string, key: string | undefined, questions: readonly Question[]) {
  const seen: Promise<Seen>[] = []
  const begun = questions.map(
    (asked) =>
      new Promise<void>((onPiece) => {
        seen.push(seenBy(url, { key, content: question(...asked), onPiece }))
      }),
  )
  await Promise.all(begun)
  return { all: Promise.all(seen) }
}

/** Resolves once a gateway has received the signal to stop: it accepts no more calls. */
const hasHeard = (url: string, key = '') =>
  expect
    .poll(() =>
      fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .not.toBe(200)

/** The status of a call to a gateway that is stopping; 0 if it accepts no connection. */
const refusal = (url: string, key: string | undefined): Promise<number> =>
  seenBy(url, { key, content: question(1, 0) }).then(
    ({ status }) => status,
    () => 0,
  )
