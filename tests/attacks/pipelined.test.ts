import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { aWorld } from '../support/world.ts'

it('a request behind an answer that ends its connection is not started', async () => {
  const world = await aWorld({ config: { MAX_REQUESTS: '1' }, options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel()
  const alice = await world.user({ quota: 1_000_000 })
  const head = (more: readonly string[]) =>
    ['POST /v1/chat/completions HTTP/1.1', `Host: ${new URL(world.url).host}`, ...more, '', ''].join('\r\n')
  const key = `Authorization: Bearer sk-${await alice.key()}`
  const reach = async () => {
    const { hostname, port } = new URL(world.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const holder = await reach()
  holder.write(head([key, 'Expect: 100-continue', 'Content-Length: 10']))
  await once(holder, 'data')
  const socket = await reach()
  socket.write(`${head(['Content-Length: 10'])}12345`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i)
  holder.destroy()
  await expect.poll(() => alice.asks('gpt-4o', 'hi').then(({ status }) => status)).toBe(200)
  const asked = world.upstream.requests.length
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
  socket.write(`67890${head([key, 'Content-Type: application/json', `Content-Length: ${body.length}`])}${body}`)
  const drip = setInterval(() => socket.write('x'), 20)
  onTestFinished(() => clearInterval(drip))
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  await expect.poll(() => alice.asks('gpt-4o', 'hi').then(({ status }) => status)).toBe(200)
  expect(world.upstream.requests.length - asked).toBe(1)
})
