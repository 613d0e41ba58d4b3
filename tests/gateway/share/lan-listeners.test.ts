import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createLanListeners } from '../../../gateway/share/lan-listeners.ts'
import { freePort, HERE } from './shared-world.ts'

const quick = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 }

/** A listener that waits this long for the first byte. */
async function aDoor(firstByteMs: number) {
  const server = createServer(quick, (_, response) => response.end('hello'))
  const plain = createServer(quick, (_, response) => response.end('plain'))
  const port = await freePort(HERE)
  const always = () => true
  const door = createLanListeners({
    server,
    plain,
    port,
    max: 3,
    mayStay: always,
    isAllowed: always,
    onError: () => {},
    firstByteMs,
  })
  await door.open(HERE)
  onTestFinished(() => door.destroy())
  return { door, port }
}

it('closes connections that send nothing, or too slowly', async () => {
  const { door, port } = await aDoor(100)
  const silent = connect(port, HERE)
  await once(silent, 'close')
  const slow = connect(port, HERE)
  slow.write('GET / HT')
  expect(String((await once(slow, 'data'))[0])).toContain('408')
  await once(slow, 'close')
  expect([...door.connections().values()]).toEqual([])
})

it('hands the bytes read to the matching server, and accepts no more connections than allowed', async () => {
  const { door, port } = await aDoor(60_000)
  const heard = connect(port, HERE)
  heard.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let text = ''
  heard.on('data', (part) => {
    text += part
  })
  await once(heard, 'close')
  expect(text).toMatch(/plain$/)
  const held = [connect(port, HERE), connect(port, HERE), connect(port, HERE)]
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  await expect.poll(() => [...door.connections().values()]).toEqual([3])
  const fourth = connect(port, HERE)
  fourth.on('error', () => {})
  await once(fourth, 'close')
  expect([...door.connections().values()]).toEqual([3])
})
