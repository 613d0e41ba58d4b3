import { expect, it } from 'vitest'
import { isOwnOrigin } from '../../gateway/api/middleware/same-origin.ts'
import { addressRule } from '../../gateway/base/network/address-guard.ts'
import { parsedAddress } from '../../gateway/base/network/web-address.ts'
import type { ChannelSetting } from '../../gateway/channels/registry/active-channel.ts'
import { createCheckReferences } from '../../gateway/relay/adaptation/vendor-references.ts'
import { mediaUrl } from '../../gateway/relay/media/accepted-types.ts'
import { workOf } from '../support/work-of.ts'
import { aWorld } from '../support/world.ts'

/** Node's time for a host name with letters beyond ASCII grows with the square of its length: 36 ms for 5,000. */
const letters = (count: number, from = 0) =>
  String.fromCharCode(...Array.from({ length: count }, (_, n) => 0x4e00 + from + n))
const LONG = letters(5000)
const spellings = [
  `http://${LONG}/a.png`,
  `http://${encodeURIComponent(letters(1600))}`,
  `http:${LONG}`,
  `\u0001 http://${LONG}`,
  `ht\ttp:/\n/${LONG}`,
  `http:\\\\${LONG}`,
  `http://user:${LONG}@${LONG}:80/`,
  `//${LONG}/x`,
]

it.each(spellings.map((text) => [text.slice(0, 16), text]))('%j… is not an address, in no time', async (_, text) => {
  const parse = () => [parsedAddress(text, 'http://example.com'), mediaUrl(text), isOwnOrigin(text, 'h', 'http://h')]
  expect(parse()).toEqual([null, null, false])
  const work = await workOf(() => {
    for (let times = 0; times < 30; times += 1) parse()
  })
  expect(work).toBeLessThan(500)
})

it.each([
  'https://user:p@example.com:8443/a?b#c',
  'http://例え.テスト/絵.png',
  `http://${'a'.repeat(63)}.example/${LONG}?q=${LONG}`,
  'http://[2001:db8::1]:8080/',
])('%s is one', (text) => expect(parsedAddress(text)?.href).toBe(new URL(text).href))

const addresses = Array.from({ length: 20_000 }, (_, n) => `http://${letters(20, n % 999)}.example/`)

it.each([
  ['a list', { image_urls: addresses }],
  ['the members of an object', { images: Object.fromEntries(addresses.map((address, n) => [`image${n}`, address])) }],
])('many addresses in %s are searched in turns', async (_, request) => {
  const check = createCheckReferences(addressRule(() => false))
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await check(request, { allow_account_data: false } as ChannelSetting)
  isOver = true
  expect(turns).toBeGreaterThan(100)
})

it('a caller’s list of long host names is refused at once', async () => {
  const world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 14, models: 'claude-sonnet-4-5' })
  const alice = await world.user({ quota: 1e9 })
  const messages = [{ role: 'user', content: 'hi' }]
  const image_urls = Array.from({ length: 130 }, () => `http://${LONG}/`)
  let status = 0
  const work = await workOf(async () => {
    const body = { model: 'claude-sonnet-4-5', messages, image_urls }
    status = (await alice.calls('/v1/messages/count_tokens', body)).status
  })
  expect([status, work < 2000]).toEqual([400, true])
})
