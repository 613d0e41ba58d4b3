import { describe, expect, it, onTestFinished } from 'vitest'
import { chatAnswer, chatStream } from '../../support/chat.ts'
import { anUpstream, type Recorded, type Script, type Upstream } from '../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { balancesOf } from './metering/receipts.ts'

const GIVEN = 1_000_000_000
const HEALTHY = 200
/** Number of concurrent healthy calls. */
const LANES = 20
const COUNTED = { prompt: 10, completion: 5 }
/** The cost of a response with ten prompt and five completion tokens at a ratio of 1. */
const COST = 15
/** Tokens that the gateway counts for the prompt. */
const PROMPT = 8

const options = {
  ModelRatio: { well: 1, stuck: 1, slow: 1 },
  CompletionRatio: { well: 1, stuck: 1, slow: 1 },
  RetryTimes: 2,
} as const

const wellAnswered = ({ json }: Recorded): Script =>
  json.stream ? { events: chatStream(['Hel', 'lo'], COUNTED) } : { body: chatAnswer('Hello', COUNTED) }

/** A stream that sends one byte per second. */
const dripping: Script = {
  events: [
    ...chatStream(['x'.repeat(500)])
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join(''),
  ].map((byte) => Buffer.from(byte)),
  gapMs: 1000,
}

async function aVendor(answer: Script | ((request: Recorded) => Script)): Promise<Upstream> {
  const vendor = await anUpstream()
  onTestFinished(vendor.stop)
  vendor.answers(answer)
  return vendor
}

/** Calls that nobody waits for, and the number of those that have ended. */
function underWay() {
  const leaving = new AbortController()
  const calls: Promise<number>[] = []
  let ended = 0
  return {
    start(person: Person, model: string, count: number, stream = false) {
      for (let turn = 0; turn < count; turn += 1) {
        const call = person.asks(model, 'hi', { stream, signal: leaving.signal })
        calls.push(
          call
            .then(({ status }) => status)
            .catch(() => 0)
            .finally(() => {
              ended += 1
            }),
        )
      }
    },
    ended: () => ended,
    async leave() {
      leaving.abort()
      return Promise.all(calls)
    },
    all: () => Promise.all(calls),
  }
}

/** Makes calls of a healthy model, every other one as a stream; returns the status and text of each response. */
async function askedWell(people: readonly Person[]): Promise<string[]> {
  const answers: string[] = []
  let asked = 0
  const lane = async () => {
    while (asked < HEALTHY) {
      asked += 1
      const person = people[asked % people.length]
      const answer = await person?.asks('well', 'hi', { stream: asked % 2 === 0 })
      answers.push(`${answer?.status} ${answer?.content}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return answers
}

const allWell = Array.from({ length: HEALTHY }, () => '200 Hello')
const untilAsked = (vendor: Upstream, count: number) => expect.poll(() => vendor.requests.length).toBe(count)

describe('a vendor that does not answer', () => {
  it('delays no requests to others: 200 calls end while 50 hang and 10 streams drip', async () => {
    const world = await aWorld({ options })
    const [hanging, slow, well] = [await aVendor({ hang: true }), await aVendor(dripping), await aVendor(wellAnswered)]
    await world.channel({ models: 'stuck', base_url: hanging.url })
    await world.channel({ models: 'slow', base_url: slow.url })
    await world.channel({ models: 'well', base_url: well.url })
    const [stuckOne, wellOne] = [await world.user({ quota: GIVEN }), await world.user({ quota: GIVEN })]
    const others = underWay()
    others.start(stuckOne, 'stuck', 50)
    others.start(stuckOne, 'slow', 10, true)
    await untilAsked(hanging, 50)
    await untilAsked(slow, 10)

    expect(await askedWell([wellOne, stuckOne])).toEqual(allWell)
    expect(others.ended(), 'they hang still').toBe(0)
    expect([hanging.requests.length, slow.requests.length, well.requests.length]).toEqual([50, 10, HEALTHY])

    await others.leave()
    await expectSpent(world, wellOne, (HEALTHY / 2) * COST)
    // Dripping streams have started, so callers who leave them pay for the prompt
    // (docs/reference/billing.md#disconnected-callers).
    await expectSpent(world, stuckOne, (HEALTHY / 2) * COST + 10 * PROMPT)
  })

  it('delays no other model of the same vendor, for the same key: the hung ones end when it lets them', async () => {
    const world = await aWorld({ options })
    const { promise: letGo, resolve } = Promise.withResolvers<void>()
    world.upstream.answers(async (request) => {
      if (request.json.model === 'stuck') await letGo
      return wellAnswered(request)
    })
    await world.channel({ models: 'stuck,well' })
    const alice = await world.user({ quota: GIVEN })
    const others = underWay()
    others.start(alice, 'stuck', 25)
    others.start(alice, 'stuck', 25, true)
    await untilAsked(world.upstream, 50)

    expect(await askedWell([alice])).toEqual(allWell)
    expect(others.ended(), 'they hang still').toBe(0)

    resolve()
    expect(await others.all()).toEqual(Array.from({ length: 50 }, () => 200))
    await expectSpent(world, alice, (HEALTHY + 50) * COST)
  })
})

/** Expects a correct ledger with exactly this charge; calls without a response are free. */
async function expectSpent(world: World, person: Person, quota: number): Promise<void> {
  await expect.poll(async () => (await balancesOf(world, person.id, GIVEN)).spent).toBe(quota)
  expect((await balancesOf(world, person.id, GIVEN)).balanced).toBe(true)
}
