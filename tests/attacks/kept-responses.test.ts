import { beforeAll, describe, expect, it } from 'vitest'
import { onTheWire } from '../gateway/relay/delivery/wire.ts'
import { responseAnswer, responseStream } from '../support/responses.ts'
import type { Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const KEY = 'canary-Zq81-of-the-channel'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 }, RetryTimes: 0 } })
  await world.channel({ key: KEY })
  alice = await world.user({ quota: 1_000_000_000 })
  world.upstream.answers({ body: responseAnswer({ texts: ['Hello'] }) })
  expect((await alice.calls('/v1/responses', { model: 'gpt-4o', input: 'hi' })).status).toBe(200)
})

async function retrieved(script: Script, query = '') {
  world.upstream.reset()
  world.upstream.answers(script)
  return onTheWire(world, `/v1/responses/resp_1${query}`, { method: 'GET', key: await alice.key() })
}
const error = () => ({ code: 'server_error', message: `no ${KEY} at ${world.upstream.url}/v1` })

describe('a response stored by its vendor, retrieved again', () => {
  it('contains no key and no address if it failed, and is otherwise unchanged', async () => {
    const { text, status } = await retrieved({
      body: { big: 'https://kept.example', status: 'failed', error: error() },
    })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      big: 'https://kept.example',
      status: 'failed',
      error: { code: 'server_error', message: 'no *** at ***' },
    })
    const whole = '{"id":"resp_1", "error":null,  "n":12345678901234567890}'
    expect((await retrieved({ body: Buffer.from(whole), headers: { 'content-type': 'application/json' } })).text).toBe(
      whole,
    )
  })

  it('is not looked through where its error is long', async () => {
    const long = { code: 'server_error', message: 'a.'.repeat(40_000) }
    const { status, text } = await retrieved({ body: { status: 'failed', error: long } })
    expect([status, text.length < 1000]).toEqual([502, true])
    const fits = { ...long, message: 'a.'.repeat(30_000) }
    expect((await retrieved({ body: { status: 'failed', error: fits } })).status).toBe(200)
  })

  it('is streamed to its end, without secrets and without data that is not an event', async () => {
    const events = responseStream({ texts: ['Hello'] })
    const good = Buffer.concat(events).toString()
    const tail = Buffer.from('data: {"type":"AFTER"}\n\n')
    expect((await retrieved({ events: [...events, tail], hang: true }, '?stream=true')).text).toBe(good)
    const failed = { type: 'error', ...error() }
    const told = await retrieved({ events: [...events.slice(0, 3), failed, tail], hang: true }, '?stream=true')
    expect(told.text).toContain('no *** at ***')
    expect(told.text).not.toMatch(/canary|127\.0\.0\.1|AFTER/)
    const broken = await retrieved({ events: [...events.slice(0, 3), 'GARBLED', tail], hang: true }, '?stream=true')
    expect(broken.text).toContain('event: error')
    expect(broken.text).not.toMatch(/GARBLED|AFTER/)
  })
})
