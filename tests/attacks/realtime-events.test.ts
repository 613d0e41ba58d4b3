import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { aCaller, eventually } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const GIVEN = 1_000_000_000
const REALTIME = '/v1/realtime?model=gpt-realtime'
const KEYS = ['canary-one-Zq81', 'canary-two-Zq82']
const done = (id: string, tokens: number) => ({
  type: 'response.done',
  response: { id, status: 'completed', usage: { input_tokens: tokens, output_tokens: tokens } },
})

let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: { ModelRatio: { 'gpt-realtime': 1 }, CompletionRatio: { 'gpt-realtime': 1 }, RetryTimes: 0 },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime', key: KEYS.join('\n'), key_mode: 'pool' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: GIVEN })
})

async function opened() {
  const caller = await aCaller(world, REALTIME, alice)
  await caller.gets('session.created')
  return { caller, session: vendor.last() }
}

describe('a realtime upstream that is not to be trusted', () => {
  it('has each answer counted once, and nothing after its end', async () => {
    const { caller, session } = await opened()
    say(session, { type: 'response.created', response: { id: 'r1' } }, done('r1', 10), done('r1', 2_000_000))
    say(session, { type: 'response.output_text.delta', response_id: 'r1', delta: 'AFTER' }, done('r2', 20))
    await eventually(() => caller.frames.filter(({ type }) => type === 'response.done').length).toBe(2)
    expect(JSON.stringify(caller.frames)).not.toMatch(/AFTER|2000000/)
    caller.socket.close(1000)
    expect(await lastReceipt(world, alice.id)).toMatchObject({ quota: 60, other: { ended: 'complete' } })
  })

  it('gets no event in which an object repeats a name, and its caller is shown why', async () => {
    const { caller, session } = await opened()
    const before = session.frames.length
    caller.send('{"type":"session.update","session":{"instructions":"a"},"session":{"voice":"x"}}')
    await eventually(() => JSON.stringify(caller.frames)).toContain('a field appears twice')
    expect(session.frames).toHaveLength(before)
    caller.socket.close(1000)
  })

  it.each([
    ['NaN', '{"type":"session.update","x":NaN}'],
    ['a comma too many', '{"type":"session.update",}'],
    ['a byte order mark', '\ufeff{"type":"session.update"}'],
    ['UTF-16', Buffer.from('\ufeff{"type":"session.update"}', 'utf16le')],
    ['no object', '["session.update"]'],
    ['no JSON', 'session.update'],
  ])('gets no frame that this gateway cannot read although another reader might: %s', async (_, frame) => {
    const { caller, session } = await opened()
    const before = session.frames.length
    caller.socket.send(frame)
    expect((await caller.gets('error')).error.code).toBe('invalid_frame')
    expect(session.frames).toHaveLength(before)
    caller.socket.close(1000)
  })

  it('is closed for a long frame of more values than a request may have', async () => {
    const { caller, session } = await opened()
    say(session, { type: 'x', lists: Array.from({ length: 400 }, () => Array(3000).fill(1)) })
    await eventually(() => caller.socket.readyState).toBe(3)
    expect(caller.frames.some(({ type }) => type === 'x')).toBe(false)
  })

  it('sends no key and no address to the caller in an error, in any kind of frame', async () => {
    const { host } = new URL(vendor.url)
    const message = `no ${KEYS.join(' ')} nor sk-somebody-elses-0123456789 at ${vendor.url}/v1 or ${host}`
    const error = { type: 'server_error', message, deep: [message] }
    const { caller, session } = await opened()
    const frames = [
      { type: 'error', error },
      { type: 'response.done', response: { id: 'r1', status: 'failed', status_details: { error } } },
      { type: 'conversation.item.input_audio_transcription.failed', item_id: 'i', error },
    ]
    say(session, ...frames)
    for (const frame of frames) {
      const hidden = JSON.stringify(frame).replaceAll('canary', '\\u0063anary').replaceAll('"error"', '"\\u0065rror"')
      session.socket.send(hidden.replace('"r1"', '"r2"'))
      session.socket.send(Buffer.from(JSON.stringify(frame).replace('"r1"', '"r3"')), { binary: true })
    }
    await eventually(() => caller.frames.length).toBe(10)
    const said = caller.frames.map((frame) => (Buffer.isBuffer(frame) ? frame.toString() : JSON.stringify(frame)))
    for (const secret of [...KEYS, 'anary-', 'sk-somebody', vendor.url, host])
      expect(said.join('\n')).not.toContain(secret)
    expect(said.filter((each) => each.includes('no *** ***'))).toHaveLength(9)
    caller.socket.close(1000)
  })

  it('ends the session with a frame that is not an event, which the caller never gets', async () => {
    for (const garbled of ['GARBLED', '{"GARBLED":', '"GARBLED"']) {
      const { caller, session } = await opened()
      say(session, { type: 'response.created', response: { id: 'r1' } }, done('r1', 10))
      session.socket.send(garbled)
      say(session, done('r2', 2_000_000))
      const { code } = await caller.closed
      expect([code, caller.frames.at(-1).type]).toEqual([1011, 'error'])
      expect(JSON.stringify(caller.frames)).not.toMatch(/GARBLED|2000000/)
      expect(await lastReceipt(world, alice.id)).toMatchObject({ quota: 20, other: { ended: 'upstream-broken' } })
      alice = await world.user({ quota: GIVEN })
    }
  })
})
