import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { aWorld, type Person, type World } from '../support/world.ts'

const MIB = 1024 * 1024
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const eventOf = (delta: object) => chunkOf(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
const citation = { type: 'url_citation', url_citation: { url: `https://a.example/${'x'.repeat(MIB)}`, title: 't' } }

let world: World
let alice: Person
let vendor: Server
let more: () => string = () => ''
const open = new Set<Socket>()

beforeAll(async () => {
  vendor = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    socket.on('data', (bytes) => {
      if (!String(bytes).includes('"messages"')) return
      socket.write(HEAD + eventOf({ role: 'assistant', content: 'hello' }))
      socket.write(more())
    })
  })
  await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve))
  const { port } = vendor.address() as { port: number }
  world = await aWorld({ config: { MAX_BODY_MEMORY_MB: '16' }, options: { ModelRatio: { m: 1 }, RetryTimes: 0 } })
  await world.channel({ base_url: `http://127.0.0.1:${port}`, models: 'm' })
  alice = await world.user({ quota: 1_000_000_000 })
  await alice.key()
})
afterAll(() => {
  for (const socket of open) socket.destroy()
  vendor.close()
})

/**
 * Starts streams that never end by themselves, and waits until the gateway has ended all but one; returns the texts of
 * the ended ones.
 */
async function ended(count: number, path: string, body: object): Promise<string[]> {
  const leaving = new AbortController()
  const texts: string[] = []
  const streams = Array.from({ length: count }, () =>
    alice.calls(path, body, { signal: leaving.signal }).then(
      ({ text }) => void texts.push(text),
      () => {},
    ),
  )
  await vi.waitFor(() => expect(texts).toHaveLength(count - 1), 10_000)
  leaving.abort()
  await Promise.all(streams)
  return texts
}

it('the memory of incomplete lines of streams is bounded over all streams of a channel', async () => {
  more = () => chunkOf(`data: {"choices":[{"delta":{"content":"${'x'.repeat(6 * MIB)}`)
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }
  const texts = await ended(4, '/v1/chat/completions', body)
  for (const text of texts) expect(text).toMatch(/hello[\s\S]*error/)
})

it('so is the memory of what a converted stream has to repeat at its end', async () => {
  more = () => Array.from({ length: 3 }, () => eventOf({ annotations: [citation] })).join('')
  const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
  const texts = await ended(4, '/v1beta/models/m:streamGenerateContent?alt=sse', body)
  for (const text of texts) expect(text).toMatch(/hello[\s\S]*error/)
})
