import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createBodyMemory } from '../../../../gateway/relay/intake/body-memory.ts'

const MIB = 1024 * 1024
const busy = expect.objectContaining({ kind: 'unavailable', key: 'relay.bodiesBusy', retryAfterSeconds: 2 })

/** The memory for request bodies: accounts share 512 MiB. */
function aMemory() {
  const memory = createBodyMemory(512 * MIB)
  const request = (accountId: number) => {
    const owner = Object.assign(new EventEmitter(), { closed: false })
    const room = memory.shareFor(owner, accountId)
    return { takes: (mib: number) => room.grow(mib * MIB), ends: () => owner.emit('close') }
  }
  return { memory, request }
}

describe('the memory of all bodies', () => {
  it('fits the longest body of one account, packed and unpacked, and then one of another account', () => {
    const { request } = aMemory()
    request(1).takes(256)
    request(2).takes(128)
    expect(() => request(3).takes(128)).toThrow(busy)
    request(3).takes(64)
  })

  it('is never used by one account beyond the share left for others, in any number of requests', () => {
    const { memory, request } = aMemory()
    const requests = Array.from({ length: 8 }, () => request(1))
    for (const one of requests.slice(0, 4)) one.takes(60)
    for (const one of requests.slice(4)) expect(() => one.takes(60)).toThrow(busy)
    expect(memory.taken).toBe(240 * MIB)
    request(2).takes(128)
    requests[0]?.ends()
    expect(() => requests[4]?.takes(60)).toThrow(busy)
    requests[1]?.ends()
    requests[4]?.takes(60)
    expect(memory.taken).toBe(308 * MIB)
  })

  it('is fully available to one body where there is no other', () => {
    const { request } = aMemory()
    const only = request(1)
    only.takes(512)
    expect(() => only.takes(513)).toThrow(busy)
    expect(() => request(2).takes(1)).toThrow(busy)
    only.ends()
    request(2).takes(1)
  })
})
