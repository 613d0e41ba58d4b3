import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../gateway/billing/usage.ts'
import { Recording } from '../../../../gateway/relay/response-cache/recording.ts'

describe('an answer is recorded (docs/reference/cache.md#contents)', () => {
  const aRoom = () => ({ recorded: 0, max: 100 })
  const whole = (recording: Recording) => {
    recording.charged(usageOf({ prompt: 1 }))
    recording.isWhole = true
    return recording.bytes()?.toString()
  }

  it('while it fits into the memory with the others, which is free again once it is dropped', () => {
    const room = aRoom()
    const [first, second, third] = [new Recording(80, room), new Recording(80, room), new Recording(80, room)]
    expect([first.add('x'.repeat(60)), second.add('y'.repeat(40)), third.add('z')]).toEqual([true, true, false])
    expect([room.recorded, whole(first), whole(second), whole(third)]).toEqual([
      100,
      'x'.repeat(60),
      'y'.repeat(40),
      undefined,
    ])
    first.drop()
    first.drop()
    expect([room.recorded, third.add('z'), new Recording(80, room).add('z'.repeat(60))]).toEqual([40, false, true])
  })

  it('only once it is whole and charged, and not where the vendor searched for it', () => {
    const recording = new Recording(80, aRoom())
    recording.add('ä')
    expect(recording.bytes()).toBeUndefined()
    recording.charged(usageOf({ prompt: 1 }))
    expect(recording.bytes()).toBeUndefined()
    expect(whole(recording)).toBe('ä')
    recording.charged(usageOf({ prompt: 1, webSearches: 1 }))
    expect(recording.bytes()).toBeUndefined()
  })
})
