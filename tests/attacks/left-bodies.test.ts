import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * A small compressed body becomes a large one, and is read on after its caller has hung up. It must count toward the
 * memory budget until then (docs/reference/limits.md#bodies): otherwise callers that leave fill the memory.
 */
const BUDGET_MIB = 64
const BODY_MIB = 30
const CALLERS = 12
const MIB = 1024 * 1024

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ config: { MAX_BODY_MEMORY_MB: String(BUDGET_MIB) } })
  await world.channel({ models: 'm', type: 14 })
  mallory = await world.user({ quota: 0 })
})

/** A prompt that gzip shortens to about an eightieth: a part of it is random. */
function packedBody(): Buffer {
  const noise = randomBytes(Math.ceil((BODY_MIB * MIB) / 110))
    .toString('base64')
    .replace(/[+/=]/g, 'a')
  const content = noise + 'x'.repeat(BODY_MIB * MIB - noise.length)
  return gzipSync(JSON.stringify({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content }] }), { level: 9 })
}

async function sendAndLeave(path: string, key: string, body: Buffer): Promise<void> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  const lines = [`POST ${path} HTTP/1.1`, `host: ${hostname}:${port}`, `authorization: Bearer sk-${key}`]
  lines.push('content-type: application/json', 'content-encoding: gzip', `content-length: ${body.length}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await new Promise((resolve) => socket.write(body, resolve))
  await new Promise((resolve) => setTimeout(resolve, 10))
  socket.destroy()
}

it.each(['/v1/messages/count_tokens', '/v1/chat/completions', '/v1/realtime/client_secrets'])(
  'bodies of callers that leave %s stay within the memory budget',
  async (path) => {
    const body = packedBody()
    const key = await mallory.key()
    const before = process.memoryUsage().arrayBuffers
    let highest = 0
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before)
    }, 5)
    await Promise.all(Array.from({ length: CALLERS }, () => sendAndLeave(path, key, body)))
    // The account's bodies are read in turn: the last one is accepted once those before it are done.
    const headers = { authorization: `Bearer sk-${key}`, 'content-encoding': 'gzip' }
    const last = async () =>
      (await fetch(world.url + path, { method: 'POST', headers, body: new Uint8Array(body) })).status
    await expect.poll(last, { timeout: 20_000 }).not.toBe(503)
    clearInterval(watch)
    expect(highest / MIB).toBeLessThan(BUDGET_MIB * 2)
  },
)
