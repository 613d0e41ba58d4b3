import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, chat, errorEvent, onTheWire } from '../delivery/wire.ts'
import { lastReceipt, receiptsOf } from '../metering/receipts.ts'

const MIB = 1024 * 1024
let world: World
let alice: Person
let sent = 0
let isEnough = false
let answering: (response: ServerResponse) => Promise<void> = async () => {}

/** An upstream that sends as fast as it is read, and counts the bytes. */
const vendor = createServer((request, response) => {
  request.resume()
  request.on('end', () => void answering(response).catch(() => response.destroy()))
})
afterAll(() => {
  vendor.closeAllConnections()
  vendor.close()
})
beforeAll(async () => {
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` })
  alice = await world.user({ quota: 1_000_000_000 })
})

/** Writes `chunk` repeatedly at the reader's pace, until a limit or `isEnough`, and then `last`. */
async function pour(response: ServerResponse, chunk: Buffer, limit: number, last = ''): Promise<void> {
  sent = 0
  isEnough = false
  let goOn = () => {}
  response.on('drain', () => goOn()).on('close', () => goOn())
  while (sent < limit && !isEnough && !response.destroyed) {
    sent += chunk.length
    const wait = new Promise<void>((resolve) => {
      goOn = resolve
    })
    if (!response.write(chunk)) await wait
  }
  response.end(last)
}
const ask = async (more: object = {}) => onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o', more) })
const delta = (content: string) =>
  Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)

/** A caller that requests a stream and reads nothing. */
async function slowReader(): Promise<Socket> {
  const { port } = new URL(world.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  const body = chat('gpt-4o', { stream: true })
  const head = [
    `POST ${CHAT} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${await alice.key()}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  sent = 0
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** Resolves once the upstream has sent something, followed by nothing for half a second. */
async function stands(): Promise<void> {
  await expect.poll(() => sent > 0).toBe(true)
  for (let before = 0; before !== sent; ) {
    before = sent
    await sleep(500)
  }
}

describe('bounds of an upstream’s response (docs/reference/reliability.md#faults)', () => {
  it('an error body of 200 MB is cut', async () => {
    answering = async (response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      await pour(response, Buffer.alloc(64 * 1024, 'x'), 200 * MIB)
    }
    const { status, text } = await ask()
    expect(status).toBe(500)
    expect(text.length).toBeLessThan(4096)
    expect(sent).toBeLessThan(8 * MIB)
  })

  it('a whole answer of more than 64 MiB is refused (docs/reference/billing.md#responses-too-long-to-read)', async () => {
    answering = async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      await pour(response, Buffer.alloc(256 * 1024, ' '), 100 * MIB)
    }
    const { status, text } = await ask()
    expect(status).toBe(400)
    expect(text).toContain('response_too_large')
    expect(sent).toBeLessThan(80 * MIB)
  })

  it.each([{}, { stream_options: { include_usage: true } }])(
    'a line of more than 32 MiB ends the stream with an error',
    async (more) => {
      answering = async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(delta('Hello'))
        await pour(response, Buffer.alloc(64 * 1024, 'x'), 100 * MIB)
      }
      const { text } = await ask({ stream: true, ...more })
      expect(text).toContain('Hello')
      expect(errorEvent(text).code).toBe('stream_response_error')
      expect(text).not.toContain('[DONE]')
      expect(sent).toBeLessThan(64 * MIB)
      expect((await lastReceipt(world, alice.id)).other.ended).toBe('upstream-broken')
    },
  )

  it('a stream of more than 64 MiB is ended', async () => {
    answering = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      await pour(
        response,
        Buffer.concat(Array.from({ length: 16 }, () => Buffer.from(`: ${'x'.repeat(64 * 1024)}\n\n`))),
        200 * MIB,
      )
    }
    const { text } = await ask({ stream: true })
    expect(errorEvent(text.slice(-1000)).code).toBe('stream_response_error')
    expect(sent).toBeLessThan(90 * MIB)
  })

  it('a slow reader pauses it', async () => {
    answering = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      await pour(response, delta('word '.repeat(3000)), Number.POSITIVE_INFINITY)
    }
    const rows = (await receiptsOf(world, alice.id)).length
    const socket = await slowReader()
    await stands()
    expect(sent).toBeLessThan(20 * MIB)
    socket.destroy()
    expect((await lastReceipt(world, alice.id, rows + 1)).other.ended).toBe('client-gone')
  })

  it('a slow reader that leaves after the finish still lets it come to its usage', async () => {
    const finished = { index: 0, delta: { content: 'word '.repeat(3000) }, finish_reason: 'stop' }
    const event = Buffer.from(`data: ${JSON.stringify({ choices: [finished] })}\n\n`)
    const usage = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 }
    answering = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      await pour(response, event, 24 * MIB, `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
    }
    const rows = (await receiptsOf(world, alice.id)).length
    const socket = await slowReader()
    await stands()
    expect(sent).toBeLessThan(22 * MIB)
    // The rest is short enough to be read, even on a busy machine, within the few seconds that a gateway waits for the
    // usage.
    isEnough = true
    socket.destroy()
    const receipt = await lastReceipt(world, alice.id, rows + 1)
    expect(receipt).toMatchObject({ prompt_tokens: 70, completion_tokens: 30, other: { usage_source: 'upstream' } })
  })
})

it('a packed body may be as long as one that is not (docs/reference/limits.md#bodies)', async () => {
  const piece = randomBytes(1000).toString('hex') + 'x'.repeat(98_000)
  const packed = gzipSync(chat('gpt-4o', { padding: piece.repeat(400) }))
  answering = async (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const key = await alice.key()
  const { status } = await onTheWire(world, CHAT, { key, body: packed, headers: { 'content-encoding': 'gzip' } })
  expect(status).not.toBe(413)
})
