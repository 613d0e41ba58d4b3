import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dataOf } from '../support/client.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const names = (count: number, length: number, prefix = 'm'): string =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`.padEnd(length, '-')).join(',')
let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({ config: { MAX_BODY_MEMORY_MB: '16' }, options: { SelfUseModeEnabled: true } })
  alice = await world.user()
})

describe('the list of models of a token (docs/reference/accounts.md#api-tokens)', () => {
  it('has at most 1,000 names', async () => {
    const add = (model_limits: string) =>
      alice.post('/api/token', { name: 'long', model_limits_enabled: true, model_limits })
    expect((await add(names(1001, 8))).message).toContain('at most 1000 models')
    expect((await add(names(400, 200))).message).toContain('at most 50000 characters')
    dataOf(await add(names(1000, 49)))
  })
})

describe('lists of tokens with long names of models (docs/reference/limits.md#connections)', () => {
  it('reserve memory for an account before their rows are read', async () => {
    const bob = await world.user()
    const model_limits = Array.from({ length: 1000 }, (_, at) => `${at}`.padStart(4, '0') + '😀'.repeat(45)).join(',')
    for (let count = 0; count < 40; count += 1)
      dataOf(await bob.post('/api/token', { name: 'long', model_limits_enabled: true, model_limits }))
    const list = () => bob.get('/api/token?p=0&size=100')
    expect(dataOf(await list())).toHaveLength(40)
    const statuses = (await Promise.all(Array.from({ length: 12 }, list))).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses).toContain(429)
  })
})

describe('lists of models that are not used (docs/reference/limits.md#bodies)', () => {
  it('take of the memory for bodies, within the part of their account', async () => {
    for (const prefix of ['a', 'b', 'c', 'd']) await world.channel({ models: names(1900, 100, prefix) })
    const [reader, other] = [await world.user(), await world.user()]
    const key = `sk-${await reader.key()}`
    const { hostname, port } = new URL(world.url)
    const get = `GET /v1/models HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect({ port: Number(port), host: hostname }).pause()
        onTestFinished(() => void socket.destroy())
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(get.repeat(10))
        return socket
      }),
    )
    const refused = Promise.any(sockets.slice(10).map((socket) => untilSaid(socket, 'HTTP/1.1 503')))
    const headers = { authorization: `Bearer sk-${await other.key()}` }
    expect((await fetch(`${world.url}/v1/models`, { headers })).status).toBe(200)
    await refused
  })
})

async function untilSaid(socket: Socket, text: string): Promise<void> {
  let end = ''
  for await (const chunk of socket) {
    end = end.slice(-text.length) + String(chunk)
    if (end.includes(text)) return
  }
  throw new Error(`${text} was not said`)
}

describe('searches for a part of a key', () => {
  it('run one at a time for an account, and are refused beyond its waiting list', async () => {
    const bob = await world.user()
    await bob.key()
    const search = (person: Person) => person.get('/api/token/search?token=zzz')
    const many = Array.from({ length: 150 }, () => search(bob))
    dataOf(await search(alice))
    const refused = (await Promise.all(many)).filter(({ success }) => !success)
    for (const { message } of refused) expect(message).toContain('busy')
  })
})
