import { describe, expect, it } from 'vitest'
import { type Fields, type Logger, silentLogger } from '../../../gateway/base/log/logger.ts'
import { untimed } from '../../support/untimed.ts'
import { aWorld, type Options, type Person, type World } from '../../support/world.ts'
import { until } from '../channels/testing/run-watch.ts'
import { aMailServer } from '../mail/mail-server.ts'
import { aReceiver, hasAddress, isTold, systemLog } from './receiver.ts'

const START = 1_000_000

type Around = Readonly<{ allowed?: string; options?: Options; config?: Record<string, string> }>

/** A gateway with a user who is notified after every charge, and its log. */
async function aHouse(setting: object, { allowed = '127.0.0.1', options = {}, config = {} }: Around = {}) {
  const warnings: { message: string; fields: Fields }[] = []
  const log: Logger = { ...silentLogger, warn: (message, fields = {}) => void warnings.push({ message, fields }) }
  const world = await aWorld({ options, config: { FETCH_ALLOWED_ADDRESSES: allowed, ...config }, log })
  await world.channel()
  const person = await world.user({ quota: START })
  await isTold(person, { quota_warning_threshold: START, ...setting })
  const lost = () => warnings.filter(({ message }) => message === 'a notice could not be delivered')
  return { world, person, lost, warnings }
}

const webhook = (url: string) => ({ notify_type: 'webhook', webhook_url: url })

/** Sends a request; returns the log rows that say that a notification was given up, once there is one. */
async function failsFor(world: World, person: Person): Promise<string[]> {
  await person.asks('gpt-4o', 'Hello')
  await until(async () => (await systemLog(world, person.id)).some((content) => content.includes('not delivered')))
  return (await systemLog(world, person.id)).filter((content) => content.includes('not delivered'))
}

describe('a notice that does not arrive (docs/reference/limits.md#notices)', () => {
  it('is sent again, unchanged, until it is accepted', async () => {
    const hook = await aReceiver([500, 302, 404])
    const { world, person, lost } = await aHouse(webhook(`${hook.url}/hook`))
    await person.asks('gpt-4o', 'Hello')
    await passes(world, () => hook.received.length === 4)
    expect(hook.received.map(({ path }) => path)).toEqual(Array(4).fill('/hook'))
    expect(new Set(hook.received.map(({ raw }) => raw)).size).toBe(1)
    expect([lost(), await systemLog(world, person.id)]).toEqual([[], []])
  })

  // Takes over two seconds: the outbox checks the clock every 200 ms of real time, and there are twelve attempts.
  it('is given up after four attempts: reported to its receiver once an hour, and in the log without secrets', async () => {
    const hook = await aReceiver(Array(12).fill(503))
    const setting = { ...webhook(`${hook.url}/secret-path?key=secret-key`), webhook_secret: 'a-webhook-secret' }
    const { world, person, lost } = await aHouse(setting, { config: { NOTIFY_LIMIT_COUNT: '9' } })
    const fails = async (count: number) => {
      await person.asks('gpt-4o', 'Hello')
      await passes(world, () => lost().length === count)
      return systemLog(world, person.id)
    }
    const host = hook.url.replace('http://', '')
    const said = `The notification quota_exceed was not delivered to the webhook at ${host}: the server responded with status code 503.`
    expect(await fails(1)).toEqual([said])
    expect(await fails(2)).toEqual([said])
    world.clock.advanceSeconds(3600)
    expect(await fails(3)).toEqual([said, said])
    expect(hook.received).toHaveLength(12)
    const fields = { userId: person.id, type: 'quota_exceed', way: 'webhook', place: host }
    expect(lost()[0]).toMatchObject({ fields: { ...fields, reason: 'the server responded with status code 503' } })
    expect(JSON.stringify(lost())).not.toMatch(/secret/)
  })

  it('by mail is reported without the reply of the mail server, which is only in the log', async () => {
    const { port } = await aMailServer({
      secure: false,
      hideSTARTTLS: true,
      onMailFrom: (_, __, done) => done(new Error('no mail of yours')),
    })
    const options = { SMTPServer: '127.0.0.1', SMTPPort: port, SMTPFrom: 'none' }
    const { world, person, lost } = await aHouse({}, { options })
    await hasAddress(world, person, 'ann@example.org')
    expect(await failsFor(world, person)).toEqual([
      'The notification quota_exceed was not delivered by email to ann@example.org: the mail server did not accept it.',
    ])
    expect(lost()).toMatchObject([{ fields: { way: 'mail', place: 'ann@example.org', error: { key: 'smtp.sender' } } }])
  })
})

/** A user with an address that was saved while it was allowed. */
async function aHouseOfBefore(url: string, allowed: string) {
  const house = await aHouse({}, { allowed })
  const setting = JSON.stringify({ ...webhook(url), quota_warning_threshold: START })
  await house.world.gateway.inner.db.updateTable('users').set({ setting }).where('id', '=', house.person.id).execute()
  return house
}

describe('a webhook inside the network (docs/reference/security.md#outgoing-calls)', () => {
  const refusal = 'this address cannot be used. It must be public, on port 80, 443, 8080 or 8443.'

  it.each([
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://localhost:8080/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:192.168.0.1]/',
    'http://0x7f.1/',
  ])('%s is never called, and its owner is shown why', async (url) => {
    const { world, person, lost } = await aHouseOfBefore(url, '')
    const [said = ''] = await failsFor(world, person)
    expect(said.endsWith(refusal), said).toBe(true)
    expect(lost()).toHaveLength(1)
  })

  it('may be where FETCH_ALLOWED_ADDRESSES allows it, metadata services excepted', async () => {
    const { world, person } = await aHouseOfBefore('http://169.254.169.254/', '169.254.0.0/16,127.0.0.1')
    const [said = ''] = await failsFor(world, person)
    expect(said.endsWith(refusal), said).toBe(true)
  })
})

describe('a gateway that stops (docs/reference/limits.md#notices)', () => {
  it('leaves pending notices to the next start, and does not wait for a receiver that does not respond', async () => {
    const hook = await aReceiver([500, 500, 500, 'hang'])
    const setting = { ...webhook(hook.url), webhook_secret: 'a-webhook-secret' }
    const { world, person } = await aHouse(setting)
    const rich = { quota: START }
    const [late, gone, slow] = [await world.user(rich), await world.user(rich), await world.user(rich)]
    for (const each of [late, gone, slow]) await isTold(each, { ...setting, quota_warning_threshold: START })
    for (const [index, each] of [person, late, gone, slow].entries()) {
      await each.asks('gpt-4o', 'Hello')
      await hook.has(index + 1)
    }
    const { db } = world.gateway.inner
    const kept = () => db.selectFrom('pending_notices').selectAll().execute()
    await until(async () => (await kept()).filter(({ due_at, created_at }) => due_at > created_at).length === 3)
    expect(JSON.stringify(await kept())).not.toMatch(/webhook-secret|127\.0\.0\.1|quota_exceed/)
    const rows = () => db.updateTable('pending_notices')
    // A copy of the row, which cannot be decrypted under its new id.
    const [first] = (await kept()).filter(({ user_id }) => user_id === person.id)
    if (!first) throw new Error('nothing of it is kept')
    await db
      .insertInto('pending_notices')
      .values({ ...first, id: 'moved' })
      .execute()
    await rows().set({ created_at: 0 }).where('user_id', '=', late.id).execute()
    await rows().set({ user_id: 999_999 }).where('user_id', '=', gone.id).execute()
    // Stops without waiting for the receiver's five seconds, or the ten until the next attempt.
    await untimed(() => world.gateway.stop())

    const next = await world.restart()
    // The interrupted notification is sent at once; the one waiting for its second attempt is still sent when due.
    await hook.has(5)
    expect(hook.received[4]?.raw).toBe(hook.received[3]?.raw)
    next.clock.advanceSeconds(10)
    await hook.has(6)
    const signed = ({ headers, raw }: (typeof hook.received)[number]) => [headers['x-webhook-signature'], raw]
    expect(hook.received.slice(5).map(signed)).toEqual(hook.received.slice(0, 1).map(signed))
    await until(
      async () => (await next.gateway.inner.db.selectFrom('pending_notices').select('id').execute()).length === 0,
    )
    expect(await systemLog(next, late.id)).toEqual([expect.stringContaining('stopped while it was on its way')])
    await (await next.restart()).gateway.stop()
    expect(hook.received).toHaveLength(6)
  })

  it('drops none because of a clock that is far ahead at the next start', async () => {
    const hook = await aReceiver(['hang'])
    const { world, person } = await aHouse(webhook(hook.url))
    await person.asks('gpt-4o', 'Hello')
    await hook.has(1)
    await untimed(() => world.gateway.stop())
    world.clock.setSeconds(400 * 86_400)
    const next = await world.restart()
    await hook.has(2)
    await next.gateway.stop()
  })
})

/** Advances the clock by ten seconds at a time, until a condition holds. */
const passes = (world: World, holds: () => boolean) =>
  until(() => {
    if (holds()) return true
    world.clock.advanceSeconds(10)
    return false
  })
