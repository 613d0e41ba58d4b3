import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Options, type Person, type World } from '../../support/world.ts'
import { until } from '../channels/testing/run-watch.ts'
import { aMailServer, codeIn, partOf } from '../mail/mail-server.ts'
import { aReceiver, hasAddress, isTold } from './receiver.ts'

const HOUR_MS = 3_600_000
const START = 1_000_000
/** The cost of the fake upstream's response: (10 prompt + 5 × 4 completion) × 1.25, rounded. */
const COST = 38
const shown = (quota: number) => `$${(quota / 500_000).toFixed(6)}`

async function aHouse(options: Options = {}): Promise<World> {
  const world = await aWorld({ options, config: { FETCH_ALLOWED_ADDRESSES: '127.0.0.1' } })
  await world.channel()
  return world
}

describe('a reminder by webhook (docs/reference/accounts.md#webhooks)', () => {
  let world: World
  let hook: Awaited<ReturnType<typeof aReceiver>>
  beforeEach(async () => {
    world = await aHouse({ ServerAddress: 'https://yard.example', SystemName: 'Yard' })
    hook = await aReceiver()
  })
  const aPerson = async (setting: object = {}): Promise<Person> => {
    const person = await world.user({ quota: START })
    const webhook = { notify_type: 'webhook', webhook_url: `${hook.url}/of-${person.id}?key=1` }
    await isTold(person, { ...webhook, quota_warning_threshold: START, ...setting })
    return person
  }

  it('contains the balance, signed with the secret', async () => {
    const person = await aPerson({ webhook_secret: 'a-secret' })
    expect((await person.asks('gpt-4o', 'Hello')).status).toBe(200)
    await hook.has(1)
    const [{ path, headers, raw, json }] = hook.received as [(typeof hook.received)[0]]
    const left = shown(START - COST)
    expect(path).toBe(`/of-${person.id}?key=1`)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-signature': createHmac('sha256', 'a-secret').update(raw).digest('hex'),
      authorization: 'Bearer a-secret',
    })
    expect(json).toEqual({
      type: 'quota_exceed',
      title: 'Your quota is running low / 账户额度不足提醒',
      content: [
        `Remaining quota of your Yard account ${person.username}: ${left}. Top up at https://yard.example/topup`,
        `您的 Yard 账户 ${person.username} 剩余额度 ${left}。充值请前往 https://yard.example/topup`,
      ].join('\n\n'),
      values: [left, 'https://yard.example/topup'],
      timestamp: expect.any(Number),
    })
    expect(Math.abs(json.timestamp - world.clock.now() / 1000)).toBeLessThan(60)
    expect(await person.quota()).toBe(START - COST)
  })

  it('is sent once in two hours, however much is charged meanwhile, and after a restart as well', async () => {
    const person = await aPerson()
    await person.asks('gpt-4o', 'Hello')
    await hook.has(1)
    expect(hook.received[0]?.headers).not.toHaveProperty('x-webhook-signature')
    expect(hook.received[0]?.headers).not.toHaveProperty('authorization')
    world.clock.advance(1.9 * HOUR_MS)
    await person.asks('gpt-4o', 'Hello')
    const key = await person.key()
    world = await world.restart()
    const asks = () => fetchChat(world.url, key)
    expect(await asks()).toBe(200)
    // The reminder of this request reads the clock after its response.
    for (let at = 0; at < 3; at += 1) await (await fetch(`${world.url}/api/status`)).text()
    await world.gateway.inner.ledger.flush()
    world.clock.advance(0.2 * HOUR_MS)
    expect(await asks()).toBe(200)
    await hook.has(2)
    expect(hook.received.map(({ json }) => json.values[0])).toEqual([shown(START - COST), shown(START - 4 * COST)])
  })

  it('is one for a hundred requests at once', async () => {
    const person = await aPerson()
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => person.asks('gpt-4o', 'Hello', { body: { max_tokens: 16 } })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await hook.has(1)
    const { db } = world.gateway.inner
    const rows = await db.selectFrom('notices').selectAll().where('type', '=', 'quota_exceed').execute()
    expect(rows).toMatchObject([{ user_id: person.id, type: 'quota_exceed', sent: 1 }])
    world.clock.advance(2 * HOUR_MS)
    await person.asks('gpt-4o', 'Hello')
    await hook.has(2)
    expect(hook.received).toHaveLength(2)
  })

  it('comes for a stream as for any other answer', async () => {
    const person = await aPerson()
    expect((await person.asks('gpt-4o', 'Hello', { stream: true })).status).toBe(200)
    await hook.has(1)
    expect(hook.received[0]?.json.type).toBe('quota_exceed')
  })

  it('comes below the own threshold, else below QuotaRemindThreshold, and not before', async () => {
    const own = await aPerson({ quota_warning_threshold: START - COST })
    const others = await world.user({ quota: START })
    await isTold(others, { notify_type: 'webhook', webhook_url: `${hook.url}/others` })
    await own.asks('gpt-4o', 'Hello')
    await others.asks('gpt-4o', 'Hello')
    await world.option('QuotaRemindThreshold', START - COST)
    await own.asks('gpt-4o', 'Hello')
    await hook.has(1)
    await others.asks('gpt-4o', 'Hello')
    await hook.has(2)
    expect(hook.received.map(({ path, json }) => [path, json.values[0]])).toEqual([
      [`/of-${own.id}?key=1`, shown(START - 2 * COST)],
      ['/others', shown(START - 2 * COST)],
    ])
  })

  it('spares the one person of self-use mode', async () => {
    await world.option('QuotaRemindThreshold', 1_000_000_000)
    await isTold(world.admin, { notify_type: 'webhook', webhook_url: `${hook.url}/root` })
    await world.option('SelfUseModeEnabled', true)
    await world.admin.asks('gpt-4o', 'Hello')
    await (await aPerson()).asks('gpt-4o', 'Hello')
    await hook.has(1)
    await world.option('SelfUseModeEnabled', false)
    await world.admin.asks('gpt-4o', 'Hello')
    await hook.has(2)
    expect(hook.received.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/of-/), '/root'])
  })
})

describe('a reminder by mail (docs/reference/accounts.md#notices)', () => {
  const account = { SMTPServer: '127.0.0.1', SMTPFrom: 'gateway@example.com', SystemName: 'Yard & <Sons>' }

  it('goes in both languages to the address for notices, else to that of the account', async () => {
    const { port, taken } = await aMailServer({ secure: false, hideSTARTTLS: true })
    const world = await aHouse({ ...account, SMTPPort: port, QuotaRemindThreshold: START })
    const [ann, bob] = [await world.user({ quota: START }), await world.user({ quota: START })]
    for (const person of [ann, bob]) await hasAddress(world, person, `${person.username}@example.org`)
    const other = 'ann-s-other@example.org'
    dataOf(await ann.post('/api/user/setting/code', { email: other }))
    const notification_code = codeIn(taken.splice(0)[0])
    await isTold(ann, { notification_email: other, notification_code })
    await ann.asks('gpt-4o', 'Hello')
    await until(() => taken.length === 1)
    await bob.asks('gpt-4o', 'Hello')
    await until(() => taken.length === 2)
    expect(taken.map(({ to }) => to)).toEqual([[other], [`${bob.username}@example.org`]])
    const raw = taken[0]?.raw ?? ''
    const left = shown(START - COST)
    expect(partOf(raw, 'text/plain')).toContain(
      `Remaining quota of your Yard & <Sons> account ${ann.username}: ${left}. Top up at ${world.url}/topup\n\n您的 Yard`,
    )
    const html = partOf(raw, 'text/html')
    expect(html).toContain(`<div lang="en"><p>Remaining quota of your Yard &amp; &lt;Sons&gt; account ${ann.username}`)
    expect(html).toContain(`<div lang="zh-CN"><p>您的 Yard &amp; &lt;Sons&gt; 账户 ${ann.username} 剩余额度 ${left}。`)
    expect(html).toContain(`<a href="${world.url}/topup">${world.url}/topup</a></p></div>`)
  })

  it('is not sent where the address or the server is missing; otherwise it arrives within ten minutes', async () => {
    const world = await aHouse({ QuotaRemindThreshold: START })
    const hook = await aReceiver()
    const person = await world.user({ quota: START })
    await person.asks('gpt-4o', 'Hello')
    await hasAddress(world, person, 'someone@example.org')
    world.clock.advance(HOUR_MS)
    await person.asks('gpt-4o', 'Hello')
    await isTold(person, { notify_type: 'webhook', webhook_url: hook.url })
    world.clock.advance(HOUR_MS / 6)
    await person.asks('gpt-4o', 'Hello')
    await hook.has(1)
    expect(hook.received).toHaveLength(1)
  })
})

describe('NOTIFY_LIMIT_COUNT and NOTIFICATION_LIMIT_DURATION_MINUTE', () => {
  it('set how many reminders are sent in how many minutes', async () => {
    const config = { FETCH_ALLOWED_ADDRESSES: '127.0.0.1', NOTIFY_LIMIT_COUNT: '2' }
    const world = await aWorld({ config: { ...config, NOTIFICATION_LIMIT_DURATION_MINUTE: '30' } })
    await world.channel()
    const hook = await aReceiver()
    const person = await world.user({ quota: START })
    await isTold(person, { notify_type: 'webhook', webhook_url: hook.url, quota_warning_threshold: START })
    for (const count of [1, 2]) {
      await person.asks('gpt-4o', 'Hello')
      await hook.has(count)
    }
    await person.asks('gpt-4o', 'Hello')
    world.clock.advance(HOUR_MS / 2)
    await person.asks('gpt-4o', 'Hello')
    await hook.has(3)
    expect(hook.received.map(({ json }) => json.values[0])).toEqual([1, 2, 4].map((n) => shown(START - n * COST)))
  })
})

async function fetchChat(url: string, key: string): Promise<number> {
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] })
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  return status
}
