import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person
let bob: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 3 } })
  alice = await world.user({ quota: 1_000_000_000 })
  bob = await world.user({ quota: 1_000_000_000 })
  for (const key of ['a', 'b', 'c', 'd']) await world.channel({ models: 'm', key })
})
beforeEach(() => world.upstream.reset())

const keys = () => world.upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))
const talk = async (body: object, headers: Record<string, string> = {}, who = alice) => {
  for (let turn = 0; turn < 12; turn += 1) await who.asks('m', 'hi', { body, headers })
  return new Set(keys())
}

describe('a conversation (docs/reference/selection.md#affinity)', () => {
  it.each([
    ['prompt_cache_key', { prompt_cache_key: 'one' }, {}],
    ['metadata.user_id', { metadata: { user_id: 'two' } }, {}],
    ['the session header', {}, { session_id: 'three' }],
  ])('stays with its channel where %s names it', async (_, body, headers) => {
    expect((await talk(body, headers)).size).toBe(1)
  })

  it('that has no name goes by the weights', async () => {
    expect((await talk({})).size).toBeGreaterThan(1)
  })

  it('moves on where its channel fails, and stays there', async () => {
    const body = { prompt_cache_key: 'moving' }
    await alice.asks('m', 'hi', { body })
    const [home] = keys()
    world.upstream.answers({ status: 500, body: { error: { message: 'boom' } } }, { body: { choices: [] } })
    await alice.asks('m', 'hi', { body })
    const next = keys().at(-1)
    expect(next).not.toBe(home)
    await alice.asks('m', 'hi', { body })
    expect(keys().at(-1)).toBe(next)
  })

  it('is one account’s own', async () => {
    const body = { prompt_cache_key: 'shared by chance' }
    const homes = new Set<string | undefined>()
    for (let time = 0; time < 30; time += 1) {
      const named = { prompt_cache_key: `${body.prompt_cache_key} ${time}` }
      await alice.asks('m', 'hi', { body: named })
      const [mine] = keys().slice(-1)
      await bob.asks('m', 'hi', { body: named })
      homes.add(keys().at(-1) === mine ? 'same' : 'other')
    }
    expect(homes.size).toBe(2)
  })
})
