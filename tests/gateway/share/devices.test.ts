import { describe, expect, it } from 'vitest'
import { createDevices } from '../../../gateway/relay/admission/devices.ts'
import { aClient, dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const HOUR = 3_600_000
const through = (ip: string, agent = 'OpenAI/Python 2.1') => ({
  headers: { 'x-forwarded-for': ip, 'user-agent': agent },
})

/** A console request by a user from another device. */
const looks = (world: World, person: Person, ip: string) =>
  aClient(world.url, { ...person.identity(), ...through(ip, 'Mozilla/5.0').headers }).get('/api/user/self')

/** A gateway behind a proxy that reports callers' addresses, which stand for the devices of a test. */
async function aShared() {
  const world = await aWorld({
    options: { ModelRatio: { 'gpt-4o': 1 } },
    config: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  await world.channel()
  const devices = async () => dataOf(await world.admin.get('/api/share/devices'))
  return { world, devices }
}

describe('devices (docs/reference/share-people.md#devices)', () => {
  it('are listed by address, key and program, the most recent first, without this machine', async () => {
    const { world, devices } = await aShared()
    const alice = await world.user({ quota: 1_000_000 })
    await alice.asks('gpt-4o', 'hello')
    expect(await devices()).toEqual([])
    const now = () => Math.floor(world.clock.now() / 1000)
    const begun = now()
    await alice.asks('gpt-4o', 'hello', through('192.168.1.20'))
    await alice.asks('gpt-4o', 'hello', through('192.168.1.21', 'claude-cli/2.0'))
    await alice.asks('gpt-4o', 'hello', through('192.168.1.20'))
    const base = {
      username: alice.username,
      key_name: 'a token',
      last_at: expect.toSatisfy((at) => at >= begun && at <= now()),
    }
    expect(await devices()).toMatchObject([
      { ...base, address: '192.168.1.20', client: 'openai-python', calls_today: 2 },
      { ...base, address: '192.168.1.21', client: 'claude-code', calls_today: 1 },
    ])
  })

  it('count the calls of a day', async () => {
    const { world, devices } = await aShared()
    const alice = await world.user({ quota: 1_000_000 })
    await alice.asks('gpt-4o', 'hello', through('192.168.1.20'))
    world.clock.advance(26 * HOUR)
    expect(await devices()).toMatchObject([{ calls_today: 0 }])
    await alice.asks('gpt-4o', 'hello', through('192.168.1.20'))
    expect(await devices()).toMatchObject([{ calls_today: 1 }])
  })

  it('are listed only if admitted: a wrong key is not one', async () => {
    const { world, devices } = await aShared()
    await world.admin.asks('gpt-4o', 'hello', { ...through('192.168.1.20'), key: 'nobody' })
    expect(await devices()).toEqual([])
  })

  it('include sessions of the console as well', async () => {
    const { world, devices } = await aShared()
    const alice = await world.user()
    await looks(world, alice, '192.168.1.30')
    expect(await devices()).toMatchObject([
      {
        address: '192.168.1.30',
        username: alice.username,
        token_id: 0,
        key_name: '',
        client: 'browser',
        calls_today: 1,
      },
    ])
  })

  it('are at most 256; the one that was silent longest is dropped', () => {
    const devices = createDevices(aClock())
    const looks = (ip: string) => devices.noteSession({ ip, userAgent: 'Mozilla/5.0' }, { id: 1, username: 'alice' })
    for (let n = 0; n < 258; n += 1) looks(`10.0.${Math.floor(n / 256)}.${n % 256}`)
    const found = devices.list().map(({ ip }) => ip)
    expect([found.length, found[0], found.at(-1)]).toEqual([256, '10.0.1.1', '10.0.0.2'])
  })
})
