import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { aWorld, type World } from '../../support/world.ts'

const MIB = 1024 * 1024

describe('a malformed request', () => {
  let world: World

  beforeAll(async () => {
    world = await aWorld()
  })

  const reach = async () => {
    const { hostname, port } = new URL(world.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    const heard = { text: '', error: '' }
    socket.on('error', (error) => {
      heard.error = error.message
    })
    socket.on('data', (part: Buffer) => {
      heard.text += part
    })
    return { socket, heard }
  }

  it.each([
    ['a line without an end', `GET /${'a'.repeat(32_000)}`, 431],
    ['too many headers', `GET / HTTP/1.1\r\n${`X-A: ${'y'.repeat(100)}\r\n`.repeat(400)}`, 431],
    ['no HTTP', 'no HTTP at all\r\n\r\n', 400],
  ])('is answered, and a client that is still sending is not cut off: %s', async (_, begin, status) => {
    const { socket, heard } = await reach()
    socket.write(begin)
    await once(socket, 'data')
    const ended = once(socket, 'end')
    const sent = await new Promise((resolve) => socket.write(Buffer.alloc(4 * MIB, 'x'), resolve))
    await ended
    socket.end()
    await once(socket, 'close')
    expect(heard.error).toBe('')
    expect(sent ?? null).toBeNull()
    expect(heard.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nConnection: close\\r\\n\\r\\n$`))
  })

  it('is not read for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { socket } = await reach()
    socket.write('no HTTP at all\r\n\r\n')
    await once(socket, 'end')
    const drip = setInterval(() => socket.write('x'), 20)
    onTestFinished(() => clearInterval(drip))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    vi.advanceTimersByTime(2000)
    await closed
  })

  it('cuts off the request it comes in', async () => {
    const { socket, heard } = await reach()
    const { key } = await world.token(world.admin)
    const { host } = new URL(world.url)
    const head = ['POST /v1/chat/completions HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${key}`]
    socket.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n1\r\n{\r\n`)
    await new Promise((resolve) => setImmediate(resolve))
    socket.write('zz\r\n')
    await once(socket, 'end')
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 /)
  })
})
