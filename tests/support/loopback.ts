import { Socket } from 'node:net'
import { afterEach, beforeAll, expect } from 'vitest'

const strays: string[] = []
let isWatching = false

/**
 * Called in a test file; fails every test during which this process opened a socket beyond loopback: no test may depend
 * on, or be visible to, the outside world.
 */
export function stayOnLoopback(): void {
  beforeAll(watchSockets)
  afterEach(() => {
    expect(strays.splice(0), 'hosts beyond loopback').toEqual([])
  })
}

/** Once per process, since workers run many files. */
function watchSockets(): void {
  strays.length = 0
  if (isWatching) return
  isWatching = true
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (this: Socket, ...how: unknown[]) {
    const host = hostIn(how.flat())
    if (!isLoopback(host)) strays.push(host)
    return connect.apply(this, how as Parameters<typeof connect>) // passed on unchanged
  } as typeof connect
}

/** The host of `connect(options)`, `connect(port, host)` or `connect(path)`; pipes and missing hosts are local. */
function hostIn([first, second]: unknown[]): string {
  if (typeof first === 'object' && first !== null && 'host' in first) return String(first.host ?? 'localhost')
  return typeof second === 'string' ? second : 'localhost'
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)
