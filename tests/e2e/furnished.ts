import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { freshGateway, readyGateway, type ServedConsole } from './gateway.ts'
import { logReceipts } from './receipt-rows.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'

/** Consoles in the states in which pages are tested. */
export type Consoles = Readonly<{
  /** Not set up. */
  fresh: ServedConsole
  empty: ServedConsole
  /** With channels, tokens and a log of relayed requests, some of which failed. */
  busy: ServedConsole
  /**
   * With one channel, for screens that call its vendor: each call adds a row, which must not appear in the others'
   * logs.
   */
  calling: ServedVendor
  /** The empty and the busy console under a host name, which browsers require for passkeys. */
  namedEmpty: ServedConsole
  namedBusy: ServedConsole
  stop: () => Promise<void>
}>

export type ConsoleName = Exclude<keyof Consoles, 'stop'>

/** Starts all of them, each with its own gateway on loopback. */
export async function consoles(): Promise<Consoles> {
  const started = [freshGateway(), readyGateway(), servedVendor(), servedVendor()] as const
  const [fresh, empty, busy, calling] = await Promise.all(started)
  await Promise.all([furnish(busy), furnishToCall(calling)])
  const stop = async () => void (await Promise.all([fresh, empty, busy, calling].map((one) => one.stop())))
  return { fresh, empty, busy, calling, namedEmpty: named(empty), namedBusy: named(busy), stop }
}

const named = (served: ServedConsole): ServedConsole => ({
  ...served,
  url: served.url.replace('127.0.0.1', 'localhost'),
})

/** Creates the data of an operator after a busy morning: names of all lengths, every state, and a few failures. */
async function furnish(vendor: ServedVendor): Promise<void> {
  const { root } = vendor
  dataOf(await root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' }))
  await vendor.channel({ name: 'Main account', models: 'gpt-4o,gpt-4o-mini', priority: 10, tag: 'production' })
  await vendor.channel({ name: 'Second account of the research department', tag: 'production', group: 'default,vip' })
  await vendor.channel({ name: 'Old account', models: 'gpt-4o-mini', priority: -5 })
  const { data } = await root.get('/api/channel/?p=0&page_size=10&id_sort=true')
  const old = data.find(({ name }: { name: string }) => name === 'Old account')
  dataOf(await root.put('/api/channel', { id: old.id, status: 2 }))
  const tokens = [
    { name: 'laptop', unlimited_quota: true },
    { name: 'integration-of-the-website', remain_quota: 25_000_000, expired_time: 4_102_444_800 },
    { name: 'guest', remain_quota: 500_000 },
  ]
  for (const token of tokens) dataOf(await root.post('/api/token', token))
  await logReceipts(vendor.inner)
  await relay(vendor)
  await limit(vendor)
}

/** Sets budgets for the token of all these calls, one of them nearly used up, and for an unused token. */
async function limit({ root }: ServedVendor): Promise<void> {
  const [used, , unused] = dataOf(await root.get('/api/token'))
  const budgets = { five_hours: 50_000, day: 2500, month: 5_000_000 }
  dataOf(await root.put('/api/token', { id: used.id, budgets, requests_per_minute: 60 }))
  dataOf(await root.put('/api/token', { id: unused.id, budgets: { five_hours: 500_000, month: 5_000_000 } }))
}

/** Creates a channel whose models have prices. */
async function furnishToCall({ root, channel }: ServedVendor): Promise<void> {
  dataOf(await root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' }))
  await channel({ name: 'Main account', models: 'gpt-4o,gpt-4o-mini' })
}

/** Relays a morning of requests: plain, streamed, one served by a second channel, and one that the vendor refused. */
async function relay({ upstream, asks, root }: ServedVendor): Promise<void> {
  for (const model of ['gpt-4o', 'gpt-4o-mini', 'gpt-4o']) await asks(root, model)
  await asks(root, 'gpt-4o-mini', { stream: true })
  const broken = { status: 500, body: { error: { message: 'overloaded', type: 'server_error' } } }
  upstream.answers(broken, { body: chatAnswer('ok', { prompt: 1000, completion: 200, cached: 400 }) })
  await asks(root, 'gpt-4o')
  upstream.answers({ status: 400, body: { error: { message: 'no such parameter', type: 'invalid_request_error' } } })
  await asks(root, 'gpt-4o')
  upstream.reset()
}
