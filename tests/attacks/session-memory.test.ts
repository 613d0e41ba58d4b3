import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../gateway/base/json/json.ts'
import { createBodyMemory } from '../../gateway/relay/intake/body-memory.ts'
import { appendText, emptyPending, MAX_KEPT } from '../../gateway/relay/websockets/realtime/pending.ts'
import { createTranscripts } from '../../gateway/relay/websockets/realtime/transcripts.ts'
import { createInnerCalls } from '../../gateway/relay/websockets/responses/inner-call.ts'
import { TurnOutput } from '../../gateway/relay/websockets/responses/memory.ts'
import { type Outlet, sendAnswer } from '../../gateway/relay/websockets/responses/turn-answer.ts'
import { cpuMs, readingMs } from '../support/turns.ts'

const MIB = 1024 * 1024
v8.setFlagsFromString('--expose_gc')
const collectGarbage: () => void = vm.runInNewContext('gc')

/** MiB that the result of `work` retains. */
function retained(work: () => unknown): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const result = work()
  collectGarbage()
  const after = process.memoryUsage().heapUsed
  expect(result).toBeDefined()
  return (after - before) / MIB
}

/** The text of a frame as `JSON.parse` returns it. */
const longText = (): string => JSON.parse(`"${'x'.repeat(4 * MIB)}"`)

describe('what a session stores of texts without figures (docs/reference/streams.md#realtime-sessions)', () => {
  it('is the counted start of each, not the frame it is a part of', () => {
    const sessions = () =>
      Array.from({ length: 16 }, () => {
        const pending = emptyPending()
        appendText(pending, longText())
        return pending
      })
    expect(retained(sessions)).toBeLessThan(8)
  })

  it('has one bound for all transcriptions under way', () => {
    const transcripts = createTranscripts()
    for (let item = 0; item < 16; item += 1) transcripts.write(`item-${item}`, undefined, longText())
    const stored = transcripts.takeAll(false).map(({ output }) => output)
    expect(stored.reduce((all, { text }) => all + text.length, 0)).toBe(MAX_KEPT)
    expect(stored.reduce((all, { text, beyond }) => all + text.length + beyond, 0)).toBe(16 * 4 * MIB)
  })
})

describe('a turn of a socket whose handshake has headers of its connection', () => {
  type By = Readonly<{ context: Readonly<{ path: string; query: string; request: Pick<IncomingMessage, 'headers'> }> }>
  const by = (headers: IncomingHttpHeaders): By => ({ context: { path: '/', query: '', request: { headers } } })

  it('leaves nothing in memory, even if it fails', async () => {
    const calls = createInnerCalls<By>(() => Promise.reject(new Error('broken')))
    const post = () => calls.post(by({ trailer: 'x' }), Buffer.alloc(MIB), () => {})
    await expect(post()).rejects.toThrow()
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    for (let turn = 0; turn < 64; turn += 1) await post().catch(() => {})
    for (let turn = 0; turn < 4; turn += 1) {
      await nextTurn()
      collectGarbage()
    }
    expect((process.memoryUsage().arrayBuffers - before) / MIB).toBeLessThan(8)
  })

  it('does not have them', async () => {
    const received: IncomingHttpHeaders[] = []
    const calls = createInnerCalls<By>(async ({ headers }, response) => {
      received.push(headers)
      response.end('{}')
    })
    const hopByHop = { trailer: 'x', te: 'trailers', 'keep-alive': '1', 'proxy-connection': 'x', upgrade: 'websocket' }
    const { statusCode } = await calls.post(by({ ...hopByHop, 'x-a': 'a' }), Buffer.from('{}'), () => {})
    expect(statusCode).toBe(200)
    expect(received[0]).toMatchObject({ 'x-a': 'a', connection: 'close' })
    for (const name of Object.keys(hopByHop)) expect(received[0]?.[name]).toBeUndefined()
  })
})

it('the work for a chunk of a turn’s stream does not depend on the output so far', async () => {
  const started = { type: 'response.created', response: { id: 'resp_1', output: Array(90_000).fill({}) } }
  const text = JSON.stringify(started)
  const chunks = [`data: ${text}\n\n`, ...Array(3000).fill(':\n')].map((chunk) => Buffer.from(chunk))
  const answer = Object.assign(Readable.from(chunks), { headers: { 'content-type': 'text/event-stream' } })
  const out = { send() {}, isFull: () => false }
  const begun = cpuMs()
  const share = createBodyMemory(MIB).shareFor({ closed: false, once() {} }, 1)
  const outlet = { out, lane: undefined, whenWritable() {} } as unknown as Outlet
  await sendAnswer(outlet, answer as unknown as IncomingMessage, new TurnOutput(share), () => '{"type":"error"}')
  expect(cpuMs() - begun).toBeLessThan(100 * Math.max(readingMs(text), 1))
})

describe('the output of a turn', () => {
  const owner = { closed: false, once() {} }
  const item = (values: number) => ({ type: 'message', content: Array(values).fill({}) })
  const outputOf = (budget: number, items: readonly JsonObject[]) => {
    const memory = createBodyMemory(budget)
    const output = new TurnOutput(memory.shareFor(owner, 1))
    for (const one of items) output.add(one)
    return { output, memory }
  }

  it('waits as text, not as values, and counts as memory of responses until it is stored', async () => {
    const text = JSON.stringify(item(40_000))
    const items = Array.from({ length: 40 }, () => JSON.parse(text))
    const { output, memory } = outputOf(64 * MIB, items)
    expect(memory.taken).toBe(40 * (text.length + 256))
    const [stored] = (await output.stored()) ?? []
    expect(stored?.text.toString()).toBe(Array(40).fill(text).join())
    output.drop()
    expect(memory.taken).toBe(0)
  })

  it.each([
    ['it is longer than a socket may store', 64],
    ['the memory for responses is taken', 1],
  ])('is dropped once %s', async (_, budget) => {
    const { output, memory } = outputOf(budget * MIB, Array(150).fill(item(40_000)))
    expect(await output.stored()).toBeUndefined()
    expect(memory.taken).toBe(0)
  })

  it('is dropped for too many items, each of which takes memory', async () => {
    const { output } = outputOf(64 * MIB, Array(100_000).fill({}))
    expect(await output.stored()).toBeUndefined()
  })

  it('is stored without what a vendor that has not stored it refuses', async () => {
    const reference = { type: 'item_reference', id: 'x' }
    const message = { type: 'message', id: 'msg_1', content: [] }
    const [stored] = (await outputOf(MIB, [reference, message]).output.stored()) ?? []
    expect(stored?.text.toString()).toBe(`${JSON.stringify(reference)},${JSON.stringify(message)}`)
    expect(stored?.bare.toString()).toBe('{"type":"message","content":[]}')
  })
})
