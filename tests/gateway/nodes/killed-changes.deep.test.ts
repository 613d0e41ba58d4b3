import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { role, tokenStatus } from '../../../shared/enums.ts'
import { aChild, type Listening } from '../../process/child.ts'
import { aFolder } from '../../process/house.ts'
import { aClient, dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const ROUNDS = 3

const masterKey = randomBytes(32).toString('base64')
let one: World
let two: World
beforeAll(async () => {
  one = await aWorld({
    config: { SWITCHYARD_MASTER_KEY: masterKey },
    options: { ModelRatio: { m: 1, n: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 },
  })
  await one.channel({ models: 'm' })
  two = await one.node()
})

const asAdmin = (url: string) => aClient(url, one.admin.identity())
const statusOf = async (person: Person, model = 'm') => (await person.asks(model, 'hi')).status

/** A change: prepared on the nodes that live on, made on the one that is killed, and seen by the others. */
type Change = () => Promise<Readonly<{ make(url: string): Promise<unknown>; isSeen(): Promise<boolean> }>>

/** A user with a key that both nodes have cached. */
async function someone(fields = {}): Promise<readonly [Person, Person]> {
  const here = await one.user({ quota: 1_000_000, ...fields })
  const there = await two.same(here)
  expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200])
  return [here, there]
}

/** Whether both nodes return this. */
const onBoth = async <T>(persons: readonly Person[], read: (person: Person) => Promise<T>, wanted: T) =>
  (await Promise.all(persons.map(read))).every((value) => value === wanted)

const option =
  (key: 'RetryTimes' | 'ModelRatio', next: () => unknown): Change =>
  async () => {
    const value = next()
    const shown = JSON.stringify(value)
    return {
      make: async (url) => dataOf(await asAdmin(url).put('/api/option', { key, value: shown })),
      isSeen: async () => [one, two].every(({ gateway }) => JSON.stringify(gateway.inner.settings.get(key)) === shown),
    }
  }

let price = 2
const changes: Readonly<Record<string, Change>> = {
  async 'a key that is disabled'() {
    const persons = await someone()
    const [token] = dataOf(await persons[0].get('/api/token'))
    const change = { id: token.id, status: tokenStatus.disabled }
    return {
      make: async (url) => dataOf(await aClient(url, persons[0].identity()).put('/api/token?status_only=true', change)),
      isSeen: () => onBoth(persons, statusOf, 401),
    }
  },
  async 'a user who is banned'() {
    const persons = await someone()
    return {
      make: async (url) =>
        dataOf(await asAdmin(url).post('/api/user/manage', { id: persons[0].id, action: 'disable' })),
      isSeen: () => onBoth(persons, statusOf, 403),
    }
  },
  async 'a role that is lowered'() {
    const persons = await someone({ role: role.admin })
    const isAdmin = async (person: Person) => (await person.get('/api/user')).success
    expect(await onBoth(persons, isAdmin, true)).toBe(true)
    return {
      make: async (url) => dataOf(await asAdmin(url).post('/api/user/manage', { id: persons[0].id, action: 'demote' })),
      isSeen: () => onBoth(persons, isAdmin, false),
    }
  },
  async 'a channel that is disabled'() {
    const persons = await someone()
    const id = await one.channel({ models: 'n' })
    await expect.poll(() => onBoth(persons, (person) => statusOf(person, 'n'), 200)).toBe(true)
    return {
      make: async (url) => dataOf(await asAdmin(url).put('/api/channel', { id, status: 2 })),
      isSeen: () => onBoth(persons, (person) => statusOf(person, 'n'), 503),
    }
  },
  'an option': option('RetryTimes', () => (one.gateway.inner.settings.get('RetryTimes') + 1) % 5),
  'a price': option('ModelRatio', () => ({ m: price++, n: 1 })),
}

it.each(Object.keys(changes))('a change is in force on the other nodes if its node is killed: %s', async (name) => {
  const folder = await aFolder()
  const config = { SWITCHYARD_MASTER_KEY: masterKey, DATABASE_URL: one.databaseUrl }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const node: Listening = await aChild({ folder, config })
    const change = await changes[name]?.()
    if (!change) throw new Error('no such change')
    await change.make(node.url)
    node.kill('SIGKILL')
    const killedAt = performance.now()
    await expect.poll(change.isSeen).toBe(true)
    times.push(Math.round(performance.now() - killedAt))
    await node.ended
  }
  process.stdout.write(`${name}: ${times.join(', ')} ms\n`)
})
