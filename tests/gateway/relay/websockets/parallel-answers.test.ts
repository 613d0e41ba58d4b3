import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../gateway/base/json/json.ts'
import { createTally } from '../../../../gateway/relay/websockets/realtime/tally.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, recomputed } from '../metering/receipts.ts'
import { aCaller, eventually } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
const REALTIME = '/v1/realtime?model=gpt-realtime'
const SECOND = Buffer.alloc(48_000).toString('base64')
const created = (id: string, more: object = {}) => ({ type: 'response.created', response: { id, ...more } })
const outside = (id: string) => created(id, { conversation_id: null })
const delta = (response_id: string, text = 'Hello there. ') => ({
  type: 'response.output_text.delta',
  response_id,
  delta: text,
})
const done = (id: string, input_tokens = 3, output_tokens = 1) => ({
  type: 'response.done',
  response: { id, usage: { input_tokens, output_tokens } },
})
const short = (id: string) => [outside(id), delta(id, 'x'), done(id)]

describe('answers that run at the same time (docs/reference/streams.md#concurrent-responses)', () => {
  let world: World
  let vendor: SocketVendor
  let alice: Person
  beforeAll(async () => {
    vendor = await aSocketVendor()
    const [one, four] = [{ 'gpt-realtime': 1 }, { 'gpt-realtime': 4 }]
    const options = { ModelRatio: one, CompletionRatio: four, AudioRatio: one, AudioCompletionRatio: one }
    world = await aWorld({ options })
    await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  })
  afterAll(() => vendor.stop())
  beforeEach(async () => {
    vendor.reset()
    alice = await world.user({ quota: GIVEN })
  })

  /**
   * The charge of a caller who leaves before a hundred events of one response are complete, with this many other
   * responses in between.
   */
  const costOf = async (answersBetween: number): Promise<number> => {
    const person = await world.user({ quota: GIVEN })
    const events = Array.from({ length: 100 }, (_, n) => [
      delta('resp_long'),
      ...(n % 10 === 9 && n / 10 < answersBetween ? short(`resp_${n}`) : []),
    ])
    vendor.behaves((session, frame) => {
      if (frame === undefined) say(session, { type: 'session.created', session: {} })
      else say(session, created('resp_long'), ...events.flat(), { type: 'all' })
    })
    const caller = await aCaller(world, REALTIME, person)
    caller.send({ type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: 'Tell me. ' }] } })
    await caller.gets('all')
    caller.socket.terminate()
    await vendor.last().closed
    const receipt = await lastReceipt(world, person.id, 1)
    expect(receipt.other.ended).toBe('client-gone')
    expect(recomputed(receipt)).toBe(receipt.quota)
    expect(await balancesOf(world, person.id, GIVEN)).toMatchObject({ balanced: true, spent: receipt.quota })
    return receipt.quota
  }

  it('cost a caller that leaves each its own share', async () => {
    const long = await costOf(0)
    expect(long).toBeGreaterThan(100 * 3 * 4)
    expect(await costOf(10)).toBe(long + 10 * (3 + 4))
  })

  it('end once the balance does not pay for all of them', async () => {
    const quota = 100_000
    const poor = await world.user({ quota })
    const text = 'word '.repeat(100)
    vendor.behaves((session, frame) => {
      if (frame === undefined) return say(session, { type: 'session.created', session: {} })
      for (let n = 0; n < 400; n += 1) say(session, delta('resp_long', text), ...short(`resp_${n}`))
      session.socket.close(1000)
    })
    const caller = await aCaller(world, REALTIME, poor)
    caller.send({ type: 'response.create' })
    expect(await caller.closed).toEqual({ code: 1008, reason: 'insufficient_quota' })
    await lastReceipt(world, poor.id, 1)
    const { balanced, spent } = await balancesOf(world, poor.id, quota)
    expect(balanced).toBe(true)
    expect(spent).toBeGreaterThan(quota / 3)
    expect(spent).toBeLessThanOrEqual(quota)
  })

  it('are running until the last of them has ended', async () => {
    vendor.behaves((session, frame) => {
      if (frame === undefined) say(session, { type: 'session.created', session: {} })
      else say(session, created('resp_long'), ...short('resp_short'))
    })
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    await eventually(() => caller.frames.length).toBe(5)
    caller.socket.close(1000)
    expect((await lastReceipt(world, alice.id, 1)).other.ended).toBe('client-gone')
  })
})

describe('the input of an answer without usage (docs/reference/streams.md#concurrent-responses)', () => {
  const aTally = () => {
    const bills: unknown[] = []
    const tally = createTally({
      isTranscription: false,
      imageTokens: () => 0,
      now: () => 0,
      reasons: false,
      count: async (texts) => ({ tokens: texts.join('').length, source: 'counted' }),
      used: ({ prompt, completion }) => bills.push([prompt, completion]),
      admit: () => {},
      refused: (error) => bills.push(error),
      failed: (error) => bills.push(error),
    })
    const says = (...events: readonly JsonObject[]) => events.map((event) => tally.fromUpstream(event))
    const hears = (event: object) => tally.fromCaller({ ...event })
    const asks = (text: string) => hears({ type: 'conversation.item.create', item: { content: [{ text }] } })
    const finished = async () => {
      await tally.finish('client-gone')
      return bills
    }
    return { tally, says, hears, asks, finished }
  }
  const LONG = 'x'.repeat(1000)

  it('is its own also where another one ends with figures', async () => {
    const { says, asks, finished } = aTally()
    asks(LONG)
    says(created('long'), delta('long', 'ab'), ...short('one'))
    asks('more')
    says(created('two'), delta('long', 'cd'), done('two', 1004, 5))
    expect(await finished()).toEqual([
      [3, 1],
      [1004, 5],
      [1000, 4],
    ])
  })

  it('is sound that was committed or still waits, no matter what ends before it begins', async () => {
    const { says, hears, finished } = aTally()
    hears({ type: 'input_audio_buffer.append', audio: SECOND })
    says(...short('one'), { type: 'input_audio_buffer.committed' }, ...short('two'))
    says(created('long'), delta('long', 'ab'), ...short('three'))
    expect(await finished()).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
      [28, 2],
    ])
  })

  it('goes to the one that began next where an answer outside the conversation took it first', async () => {
    const { says, asks, finished } = aTally()
    asks(LONG)
    says(outside('one'), delta('one', 'x'), created('long'), delta('long', 'ab'), done('one', 500, 1))
    expect(await finished()).toEqual([
      [500, 1],
      [1000, 2],
    ])
  })

  it('is not paid by figures that are too small for it, nor by a failure', async () => {
    const { says, hears, asks, finished } = aTally()
    hears({ type: 'response.create' })
    asks(LONG)
    says(created('one'), done('one'), created('two'), { type: 'response.done', response: { id: 'two' } })
    says(created('long'), delta('long', 'ab'))
    expect(await finished()).toEqual([
      [3, 1],
      [1000, 2],
    ])
  })

  it('includes the input of its request, which reported usage pays', async () => {
    const { says, hears, finished } = aTally()
    const input = [{ type: 'message', content: [{ type: 'input_text', text: '1234' }] }]
    const ask = { type: 'response.create', response: { conversation: 'none', instructions: '567', input } }
    hears(ask)
    says(outside('one'), delta('one', 'x'), done('one', 7, 1), outside('two'), delta('two', 'ab'))
    hears(ask)
    says(outside('three'), delta('three', 'abc'))
    expect(await finished()).toEqual([
      [7, 1],
      [0, 2],
      [7, 3],
    ])
  })

  it('is paid once, for any order in which answers without usage end', async () => {
    const { tally, says, asks, finished } = aTally()
    asks('1234')
    says(created('one'), delta('one', 'ab'))
    asks('56')
    says(created('two'), delta('two', 'c'), { type: 'response.done', response: { id: 'two' } })
    await tally.finish('client-gone')
    expect(await finished()).toEqual([
      [2, 1],
      [4, 2],
    ])
  })

  it.each([
    ['no event is named', [created(''), delta(''), done('')]],
    ['only the end is named', [{ type: 'response.created' }, { ...delta(''), response_id: undefined }, done('one')]],
  ])('is paid by the figures of one answer where %s', async (_, events: readonly JsonObject[]) => {
    const { says, asks, finished } = aTally()
    asks('1234')
    says(...events)
    expect(await finished()).toEqual([[3, 1]])
  })

  it('is for at most 32 answers: the oldest is billed when one more begins, and its figures count no more', async () => {
    const { tally, says, asks, finished } = aTally()
    asks(LONG)
    const ids = Array.from({ length: 33 }, (_, n) => `resp_${n}`)
    for (const id of ids) says(created(id), delta(id, 'ab'))
    expect(tally.underWay()).toBe(32)
    expect(says(delta('resp_0', 'cde'), done('resp_0', 1000, 5))).toEqual([true, true])
    const bills = await finished()
    // The others have read the same text, estimated at one token per four characters.
    expect(bills.toSorted()).toEqual([[0, 3], [1000, 2], ...ids.slice(1).map(() => [250, 2])].toSorted())
  })

  it('stores little of the texts of a vendor that names a new answer in each event', async () => {
    const { says, finished } = aTally()
    const text = 'x'.repeat(64 * 1024)
    for (let n = 0; n < 500; n += 1) says(delta(`resp_${n}`, text))
    const bills = await finished()
    expect(bills).toHaveLength(500)
    expect(bills.slice(100)).toEqual(Array.from({ length: 400 }, () => [0, 2048 + (64 * 1024 - 2048) / 4]))
  })
})
