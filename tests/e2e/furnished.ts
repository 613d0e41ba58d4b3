import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { freshGateway, readyGateway, type ServedConsole } from './gateway.ts'
import { logReceipts } from './receipt-rows.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'

/** Consoles in the three conditions that pages are looked at in. */
export type Consoles = Readonly<{
  /** Nobody has set it up. */
  fresh: ServedConsole
  /** Set up, and nothing in it. */
  empty: ServedConsole
  /** With channels, tokens and a log of what was relayed, some of which failed. */
  busy: ServedConsole
  /** With one channel, for what calls its vendor: a call leaves a row, which the log of the others must not gain. */
  calling: ServedVendor
  /** The empty and the busy one at a host name, where browsers have passkeys. */
  namedEmpty: ServedConsole
  namedBusy: ServedConsole
  stop: () => Promise<void>
}>

/** A console by its name. */
export type ConsoleName = Exclude<keyof Consoles, 'stop'>

/** Starts all of them, each with a gateway of its own on loopback. */
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

/** What an operator has after a busy morning: names of all lengths, every state, and a few failures. */
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

/** Budgets for the token that all these calls were made with, most of one used; and for one that nobody has used. */
async function limit({ root }: ServedVendor): Promise<void> {
  const [used, , unused] = dataOf(await root.get('/api/token'))
  const budgets = { five_hours: 50_000, day: 2500, month: 5_000_000 }
  dataOf(await root.put('/api/token', { id: used.id, budgets, requests_per_minute: 60 }))
  dataOf(await root.put('/api/token', { id: unused.id, budgets: { five_hours: 500_000, month: 5_000_000 } }))
}

/** A channel whose models have prices. */
async function furnishToCall({ root, channel }: ServedVendor): Promise<void> {
  dataOf(await root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' }))
  await channel({ name: 'Main account', models: 'gpt-4o,gpt-4o-mini' })
}

/** A morning of requests: plain, streamed, one that a second channel answered, and one that the vendor refused. */
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
