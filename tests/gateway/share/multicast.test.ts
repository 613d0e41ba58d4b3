import { EventEmitter } from 'node:events'
import type { MulticastDNS } from 'multicast-dns'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { announceBy } from '../../../gateway/share/multicast.ts'
import { aClock } from '../../support/clock.ts'

const what = {
  name: 'yard',
  addresses: [
    { interface: 'lan', address: '192.168.1.5' },
    { interface: 'lan', address: 'fd00::5' },
    { interface: 'vpn', address: '10.8.0.2' },
  ],
  port: 6411,
  isEncrypted: false,
}

/** Stands in for the socket of a network interface. */
function aSocket() {
  const said: { name: string; type: string; data: unknown; ttl?: number }[][] = []
  const socket = Object.assign(new EventEmitter(), {
    respond: ({ answers }: { answers: (typeof said)[number] }, done: () => void) => {
      said.push(answers)
      done()
    },
    query: () => {},
    destroy: () => socket.emit('destroyed'),
  })
  return { socket, said }
}

function announced(clock = aClock(0)) {
  const sockets = new Map<string, ReturnType<typeof aSocket>>()
  const current = announceBy(what, {
    log: silentLogger,
    clock,
    open(address) {
      const made = aSocket()
      sockets.set(address, made)
      return made.socket as unknown as MulticastDNS
    },
  })
  const on = (address: string) => sockets.get(address) ?? aSocket()
  return { current, on, sockets }
}

describe('a name that is announced', () => {
  it('resolves on each interface only to the addresses of that interface', () => {
    const { on, sockets } = announced()
    expect([...sockets.keys()]).toEqual(['192.168.1.5', '10.8.0.2'])
    for (const { socket } of sockets.values())
      socket.emit('query', { questions: [{ name: 'YARD.local', type: 'ANY' }] })
    const datas = (address: string) =>
      on(address)
        .said.flat()
        .map(({ data }) => data)
    expect(datas('192.168.1.5')).toEqual(['192.168.1.5', 'fd00::5'])
    expect(datas('10.8.0.2')).toEqual(['10.8.0.2'])
    on('10.8.0.2').socket.emit('query', { questions: [{ name: 'other.local', type: 'A' }] })
    expect(on('10.8.0.2').said).toHaveLength(1)
  })

  it('is not answered for more often than is needed', () => {
    const clock = aClock(0)
    const { on } = announced(clock)
    const ask = () => on('10.8.0.2').socket.emit('query', { questions: [{ name: 'yard.local', type: 'A' }] })
    for (let count = 0; count < 100; count += 1) ask()
    expect(on('10.8.0.2').said).toHaveLength(20)
    clock.advance(1000)
    ask()
    expect(on('10.8.0.2').said).toHaveLength(21)
  })

  it('is given up where another device answers for it, and taken back with a goodbye', () => {
    const first = announced()
    const answer = (data: string) => ({ answers: [{ name: 'yard.local', type: 'A', data }] })
    first.on('10.8.0.2').socket.emit('response', answer('192.168.1.5'))
    expect(first.current.now().state).toBe('announced')
    first.on('10.8.0.2').socket.emit('response', answer('10.8.0.77'))
    expect(first.current.now()).toMatchObject({ name: 'yard.local', state: 'taken' })
    first.on('10.8.0.2').socket.emit('query', { questions: [{ name: 'yard.local', type: 'A' }] })
    expect(first.on('10.8.0.2').said).toEqual([])
    const second = announced()
    second.current.stop()
    expect(
      second
        .on('10.8.0.2')
        .said.flat()
        .every(({ ttl }) => ttl === 0),
    ).toBe(true)
  })

  it('has no effect on others where multicast fails', () => {
    const { current, on } = announced()
    on('10.8.0.2').socket.emit('warning', new Error('no such device'))
    expect(current.now().state).toBe('announced')
    on('10.8.0.2').socket.emit('error', Object.assign(new Error('in use'), { code: 'EADDRINUSE' }))
    expect(current.now()).toMatchObject({ state: 'failed', message: 'EADDRINUSE' })
    const open = () => {
      throw new Error('no sockets here')
    }
    const none = announceBy(what, { log: silentLogger, clock: aClock(0), open })
    expect(none.now()).toMatchObject({ state: 'failed', message: 'no sockets here' })
  })
})
