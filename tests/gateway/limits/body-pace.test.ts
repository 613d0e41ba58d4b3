import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { aWorld, type World } from '../../support/world.ts'

const MIB = 1024 * 1024

/** Sends the head of a long request that ends its connection, and reads what is answered before the body has come. */
async function answeredEarly(url: string, line: string, more: readonly string[] = []) {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const heard = { text: '', error: '', isEnded: false }
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', (error) => {
    heard.error = error.message
  })
  socket.once('end', () => {
    heard.isEnded = true
  })
  const lines = [
    `${line} HTTP/1.1`,
    ...(more.length > 0 ? more : [`Host: ${host}`]),
    'Content-Type: application/json',
    `Content-Length: ${4 * MIB}`,
    'Connection: close',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`)
  const [first] = await once(socket, 'data')
  heard.text = String(first)
  socket.on('data', (part: Buffer) => {
    heard.text += part
  })
  return { heard, socket, closed }
}

describe('a request that is answered before its body has come, and ends its connection', () => {
  let world: World

  beforeAll(async () => {
    world = await aWorld()
  })

  it.each([
    ['a relayed call without a key', 'POST /v1/chat/completions', [], 401],
    ['a call of the console by nobody', 'POST /api/channel', [], 401],
    ['a path that is not there', 'POST /v1/nowhere', [], 404],
    ['a foreign Host', 'POST /v1/chat/completions', ['Host: evil.example'], 421],
  ] as const)('%s: whoever is still sending is not cut off', async (_, line, more, status) => {
    const { heard, socket, closed } = await answeredEarly(world.url, line, more)
    const sent = await new Promise<Error | null | undefined>((resolve) =>
      socket.write(Buffer.alloc(4 * MIB - 1, 'x'), resolve),
    )
    socket.end()
    await closed
    expect(heard.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(heard).toMatchObject({ error: '', isEnded: true })
    expect(sent ?? null).toBeNull()
  })
})
