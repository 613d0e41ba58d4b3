import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { randomFrom } from '../../../support/random.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 2, AutomaticDisableChannelEnabled: true } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.clock.advanceSeconds(7200)
})

const keyOf = ({ headers }: Recorded) => String(headers.authorization).replace('Bearer ', '')
const failed = (status: number, headers = {}) => ({ status, headers, body: { error: { message: 'it does not work' } } })

/**
 * Temporary faults of a channel. `mid` breaks responses after they have started, when no other channel can take over.
 */
const faults = {
  none: () => undefined,
  limited: (random: () => number) => failed(429, { 'retry-after': String(1 + Math.floor(random() * 30)) }),
  limitedBare: () => failed(429),
  broken: () => failed(500),
  unavailable: (random: () => number) => failed(503, random() < 0.5 ? { 'retry-after': '5' } : {}),
  slow: () => ({ delayMs: 3 }),
  early: () => ({ cutAfter: 0 }),
  mid: () => ({ cutAfter: 1 }),
} satisfies Record<string, (random: () => number) => Script | undefined>
type Fault = keyof typeof faults

/** A healthy response, modified by the current fault. */
function scripted(request: Recorded, fault: Fault, random: () => number): Script {
  const spoiled = faults[fault](random)
  if (spoiled && 'status' in spoiled) return spoiled
  const isStream = request.json?.stream === true
  const events = isStream ? chatStream(['all is ', 'well']) : undefined
  if (!spoiled) return events ? { events } : { body: chatAnswer('all is well') }
  if (events) return { events, ...spoiled }
  return 'cutAfter' in spoiled ? { events: [], ...spoiled } : { body: chatAnswer('all is well'), ...spoiled }
}

/** Seconds after which every wait that a vendor has requested is over, so that channels can recover. */
const MAX_WAIT = 31

describe('a fault drill over three channels, one of them healthy at any time (seeded)', () => {
  it.each([1, 2, 3])(
    'loses no request that another channel can answer, and uses none twice (seed %i)',
    async (seed) => {
      const random = randomFrom(seed)
      const among = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
      const model = `drill-${seed}`
      const keys = ['alpha', 'beta', 'gamma'].map((name) => `${name}-${seed}`)
      for (const key of keys) await world.channel({ models: model, key })
      let now: Record<string, Fault> = {}
      world.upstream.answers((request) => scripted(request, now[keyOf(request)] ?? 'none', random))
      const outcomes = { good: 0, begun: 0, lost: 0 }
      const phases = 20
      const each = 35
      for (let phase = 0; phase < phases; phase += 1) {
        world.clock.advanceSeconds(MAX_WAIT)
        const healthy = among(keys)
        const kinds = Object.keys(faults) as Fault[]
        now = Object.fromEntries(keys.map((key) => [key, key === healthy ? 'none' : among(kinds)]))
        for (let turn = 0; turn < each; turn += 1) {
          world.clock.advanceSeconds(Math.floor(random() * 3))
          const answer = await alice.asks(model, `request ${phase}-${turn}.`, { stream: random() < 0.5 })
          const isWhole = answer.status === 200 && answer.content === 'all is well'
          if (isWhole) outcomes.good += 1
          else if (answer.status === 200) outcomes.begun += 1
          else outcomes.lost += 1
        }
      }
      const asked = Map.groupBy(world.upstream.requests, ({ json }) => json.messages[0].content as string)
      for (const requests of asked.values()) expect(new Set(requests.map(keyOf)).size).toBe(requests.length)
      expect(asked.size).toBe(phases * each)
      expect(outcomes.lost).toBe(0)
      expect(outcomes.begun).toBeLessThanOrEqual(phases)
    },
  )
})

describe('the ends of the drill', () => {
  it('reports a failure at once when all are down, and serves again when one is back', async () => {
    const keys = ['down-1', 'down-2', 'down-3']
    for (const key of keys) await world.channel({ models: 'down', key })
    let isDown = true
    world.upstream.answers((request) => scripted(request, isDown ? 'broken' : 'none', () => 0))
    for (let turn = 0; turn < 10; turn += 1) {
      const answer = await alice.asks('down', `turn ${turn}.`)
      expect([answer.status, answer.json.error.message]).toEqual([500, expect.stringContaining('it does not work')])
    }
    const asked = Map.groupBy(world.upstream.requests, ({ json }) => json.messages[0].content as string)
    expect([...asked.values()].map((requests) => new Set(requests.map(keyOf)).size)).toEqual(Array(10).fill(3))
    isDown = false
    expect((await alice.asks('down', 'back.')).status).toBe(200)
  })

  it('lets one request try a channel whose cooldown has ended while the others go elsewhere', async () => {
    await world.channel({ models: 'half', key: 'sick', priority: 9 })
    await world.channel({ models: 'half', key: 'sound' })
    let fault: Fault = 'limited'
    let release: (() => void) | undefined
    world.upstream.answers(async (request) => {
      if (keyOf(request) === 'sick' && release) await new Promise<void>((resolve) => (release = resolve))
      return scripted(request, keyOf(request) === 'sick' ? fault : 'none', () => 0.99)
    })
    expect((await alice.asks('half', 'first.')).status).toBe(200)
    world.clock.advanceSeconds(31)
    fault = 'none'
    release = () => {}
    const trial = alice.asks('half', 'trial.')
    while (world.upstream.requests.filter((request) => keyOf(request) === 'sick').length < 2)
      await new Promise((resolve) => setTimeout(resolve, 5))
    const others = await Promise.all(Array.from({ length: 10 }, (_, turn) => alice.asks('half', `other ${turn}.`)))
    expect(others.every(({ status }) => status === 200)).toBe(true)
    expect(world.upstream.requests.filter((request) => keyOf(request) === 'sick')).toHaveLength(2)
    release()
    release = undefined
    expect((await trial).status).toBe(200)
    expect((await alice.asks('half', 'after.')).status).toBe(200)
    expect(keyOf(world.upstream.last())).toBe('sick')
  })

  it('survives one bad key among five', async () => {
    const keys = ['five-1', 'five-2', 'five-3', 'five-4', 'five-5']
    const id = await world.channel({ models: 'five', key: keys.join('\n'), key_mode: 'pool' })
    world.upstream.answers((request) =>
      keyOf(request) === 'five-4' ? failed(401) : scripted(request, 'none', () => 0),
    )
    for (let turn = 0; turn < 100; turn += 1) expect((await alice.asks('five', `turn ${turn}.`)).status).toBe(200)
    // One request, and the gateway's own test of the key.
    expect(world.upstream.requests.filter((request) => keyOf(request) === 'five-4').length).toBeLessThanOrEqual(2)
    const states = dataOf(await world.admin.get(`/api/channel/keys/${id}`)) as { status: number }[]
    expect(states.filter(({ status }) => status === 1).length).toBeGreaterThanOrEqual(4)
  })
})
