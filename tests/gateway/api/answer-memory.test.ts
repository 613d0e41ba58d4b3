import { EventEmitter } from 'node:events'
import type { Context } from 'koa'
import { describe, expect, it } from 'vitest'
import { createAnswerMemory } from '../../../gateway/api/middleware/answer-memory.ts'

const MIB = 1024 * 1024

describe('responses that callers have not taken yet (docs/reference/limits.md#connections)', () => {
  const response = (bytes: number, accountId?: number, destroyed = false) => {
    const res = Object.assign(new EventEmitter(), { destroyed })
    const ctx = { state: { accountId, origin: { ip: '10.0.0.1' } }, res }
    const close = () => {
      res.destroyed = true
      res.emit('close')
    }
    return { bytes, ctx: ctx as unknown as Context, close } // only the members that are used
  }

  it('of one account leave as much free for others as they take, until they are taken', () => {
    const memory = createAnswerMemory(10 * MIB)
    const take = ({ ctx, bytes }: ReturnType<typeof response>) => {
      const share = memory.shareOf(ctx)
      share.grow(bytes)
      share.end()
    }
    const first = [1, 2, 3, 4, 5].map(() => response(MIB, 7))
    for (const one of first) take(one)
    const more = response(MIB, 7)
    expect(() => take(more)).toThrow('read.busy')
    for (const one of [response(2 * MIB, 8), response(MIB)]) take(one)
    expect(() => take(response(2 * MIB))).toThrow('read.busy')
    take(response(200_000, 7))
    for (let n = 0; n < 20; n += 1) take(response(MIB, 9, true))
    for (const { close } of first) close()
    take(more)
  })

  it('count until their call has ended, even if their caller has hung up', () => {
    const memory = createAnswerMemory(10 * MIB)
    const left = [1, 2, 3, 4, 5].map(() => {
      const one = response(MIB, 7)
      const share = memory.shareOf(one.ctx)
      share.grow(MIB)
      one.close()
      return share
    })
    const next = memory.shareOf(response(MIB, 7).ctx)
    expect(() => next.grow(MIB)).toThrow('read.busy')
    for (const share of left) share.end()
    next.grow(MIB)
  })
})
