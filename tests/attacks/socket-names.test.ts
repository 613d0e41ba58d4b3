import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { createBodyMemory } from '../../gateway/relay/intake/body-memory.ts'
import { countedOutflow } from '../../gateway/relay/websockets/realtime/frame-pipe.ts'
import { lengthOf } from '../../gateway/relay/websockets/realtime/pending.ts'
import { createTally } from '../../gateway/relay/websockets/realtime/tally.ts'
import { createTranscripts } from '../../gateway/relay/websockets/realtime/transcripts.ts'
import { aCaller, refused } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const MIB = 1024 * 1024
const LONG = 'm'.repeat(3 * MIB)

let world: World
let vendor: SocketVendor
let alice: Person
beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime,gpt-5,gpt-4-gizmo-*' })
  await world.channel({ type: 24, base_url: vendor.url, models: 'gpt-4-gizmo-*' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: 1_000_000_000 })
})

const loggedNames = async (): Promise<number[]> => {
  const rows = await world.gateway.inner.db.selectFrom('logs').select('model_name').execute()
  return rows.map(({ model_name }) => model_name.length)
}

describe('a name of a million characters in a socket (docs/reference/security.md#input)', () => {
  const name = LONG.slice(0, 1_000_000)
  it.each([name, `gpt-4-gizmo-${name}`])('opens no Live session and is not in the log', async (model) => {
    const caller = await aCaller(world, LIVE, alice)
    caller.send({ setup: { model: `models/${model}` } })
    expect(await caller.closed).toEqual({ code: 1008, reason: expect.stringContaining('255') })
    expect(vendor.sessions).toEqual([])
    expect((await loggedNames()).every((length) => length <= 255)).toBe(true)
  })

  it('opens no realtime session', async () => {
    const { status, error } = await refused(aCaller(world, `/v1/realtime?model=gpt-4-gizmo-${'m'.repeat(300)}`, alice))
    expect([status, error.code]).toEqual([400, 'model_too_long'])
    expect((await loggedNames()).every((length) => length <= 255)).toBe(true)
  })

  it('cannot be the model of a transcription', async () => {
    const caller = await aCaller(world, '/v1/realtime?model=gpt-realtime', alice)
    await caller.gets('session.created')
    const transcription = { model: LONG }
    caller.send({ type: 'session.update', session: { audio: { input: { transcription } } } })
    expect((await caller.gets('error')).error.code).toBe('model_too_long')
    expect(vendor.last().frames).toEqual([])
    caller.socket.close()
  })

  it.each([{ stream_id: LONG }, { model: LONG }])('is in no event of a response: %#', async (given) => {
    const caller = await aCaller(world, '/v1/responses', alice)
    caller.send({ type: 'response.create', model: 'gpt-5', input: 'hi', generate: false, ...given })
    const frame = await caller.gets('error')
    expect(frame.status).toBe(400)
    expect(JSON.stringify(caller.frames).length).toBeLessThan(1000)
    caller.socket.close()
  })
})

describe('ids of a realtime upstream', () => {
  const tally = () =>
    createTally({
      isTranscription: true,
      imageTokens: () => 0,
      now: () => 0,
      reasons: false,
      count: async () => ({ tokens: 1, source: 'counted' }),
      used: () => {},
      admit: () => {},
      refused: () => {},
      failed: (error) => {
        throw error
      },
    })
  const completed = (item_id: string) => ({
    type: 'conversation.item.input_audio_transcription.completed',
    item_id,
    transcript: 'x',
  })

  it('are remembered where they are as short as ids are', () => {
    const { fromUpstream } = tally()
    for (const [id, again] of [
      ['short', false],
      [LONG, true],
    ] as const) {
      expect(fromUpstream(completed(id))).toBe(true)
      expect(fromUpstream(completed(id))).toBe(again)
    }
  })

  it('count as a thousand running transcriptions; all beyond are counted as one', () => {
    const transcripts = createTranscripts()
    for (let n = 0; n < 3000; n += 1) transcripts.write(`item_${n}`, undefined, 'abc')
    transcripts.write(LONG, undefined, 'abc')
    expect(transcripts.underWay()).toEqual([{ model: undefined, heard: 0, output: 3001 }])
    expect(lengthOf(transcripts.take('item_999', undefined).output)).toBe(3)
    expect(lengthOf(transcripts.take(LONG, undefined).output)).toBe(3 * 2001)
  })

  it('are added up by model once the session ends, so that a thousand of them cost no time', () => {
    const transcripts = createTranscripts()
    for (let n = 0; n < 1000; n += 1) transcripts.commit(`item_${n}`, n % 2 === 0 ? 'one' : 'two', 1)
    transcripts.write('item_0', 'one', 'abc')
    transcripts.write('item_2', 'one', 'def')
    const sums = transcripts.takeAll(false).map(({ model, seconds, output }) => [model, seconds, output.text])
    expect(sums).toEqual([
      ['one', 500, 'abcdef'],
      ['two', 500, ''],
    ])
    expect(transcripts.takeAll(false)).toEqual([])
  })
})

it('frames that wait for a peer that does not read them use the memory for bodies (docs/reference/limits.md#sockets)', () => {
  const memory = createBodyMemory(40 * MIB)
  const side = () => {
    const sent: (() => void)[] = []
    const fake = { OPEN: 1, readyState: 1, bufferedAmount: 0 }
    const send = (data: Buffer, _: object, done: () => void) => {
      fake.bufferedAmount += data.length
      sent.push(done)
    }
    const socket = { ...fake, send } as unknown as WebSocket // what an outflow uses
    const room = memory.shareFor({ closed: false, once: () => {} }, 7)
    return { out: countedOutflow(socket, room, () => {}), read: () => sent.splice(0).forEach((done) => void done()) }
  }
  const frame = Buffer.alloc(15 * MIB)
  const [first, second] = [side(), side()]
  first.out.send(frame)
  expect(() => second.out.send(frame)).toThrow('relay.bodiesBusy')
  expect(memory.taken).toBe(15 * MIB)
  first.read()
  expect(memory.taken).toBe(0)
  second.out.send(frame)
  expect(memory.taken).toBe(15 * MIB)
})
