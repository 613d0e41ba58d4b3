import { EventEmitter } from 'node:events'
import type { Context } from 'koa'
import { describe, expect, it } from 'vitest'
import { createAnswerMemory } from '../../../gateway/api/middleware/answer-memory.ts'

const MIB = 1024 * 1024

describe('responses that callers have not taken yet (docs/reference/limits.md#connections)', () => {
  const response = (bytes: number, accountId?: number, destroyed = false) => {
    const res = Object.assign(new EventEmitter(), { destroyed })
    const ctx = { body: Buffer.alloc(bytes), state: { accountId, origin: { ip: '10.0.0.1' } }, res }
    return { ctx: ctx as unknown as Context, taken: () => res.emit('close') } // what the room looks at
  }

  it('of one account leave as much free for others as they take, until they are taken', () => {
    const room = createAnswerMemory(10 * MIB)
    const first = [1, 2, 3, 4, 5].map(() => response(MIB, 7))
    for (const { ctx } of first) room.require(ctx)
    const more = response(MIB, 7)
    expect(() => room.require(more.ctx)).toThrow('read.busy')
    for (const { ctx } of [response(2 * MIB, 8), response(MIB)]) room.require(ctx)
    expect(() => room.require(response(2 * MIB).ctx)).toThrow('read.busy')
    room.require(response(200_000, 7).ctx)
    for (let n = 0; n < 20; n += 1) room.require(response(MIB, 9, true).ctx)
    for (const { taken } of first) taken()
    room.require(more.ctx)
  })
})
