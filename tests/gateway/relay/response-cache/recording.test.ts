import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../gateway/billing/usage.ts'
import { Recording, type RecordingBudget } from '../../../../gateway/relay/response-cache/recording.ts'

describe('a response is recorded (docs/reference/cache.md#contents)', () => {
  const newBudget = (): RecordingBudget => ({ recorded: 0, max: 100 })
  const cached: string[] = []
  const newRecording = (budget: RecordingBudget) =>
    new Recording(80, budget, ({ bytes }) => cached.push(bytes.toString()) > 0)
  const finish = (recording: Recording) => {
    recording.charged(usageOf({ prompt: 1 }))
    recording.isWhole = true
    return recording.keep() ? cached.at(-1) : undefined
  }

  it('while it fits into the memory with the others, which is free again once it is cached or dropped', () => {
    const budget = newBudget()
    const [first, second, third] = [newRecording(budget), newRecording(budget), newRecording(budget)]
    expect([first.add('x'.repeat(60)), second.add('y'.repeat(40)), third.add('z')]).toEqual([true, true, false])
    expect([budget.recorded, finish(third)]).toEqual([100, undefined])
    second.drop()
    second.drop()
    expect([budget.recorded, third.add('z'), newRecording(budget).add('z'.repeat(40))]).toEqual([60, false, true])
    expect([finish(first), budget.recorded, finish(second)]).toEqual(['x'.repeat(60), 40, undefined])
  })

  it('only once it is complete and charged, and not if the vendor searched for it', () => {
    const recording = newRecording(newBudget())
    recording.add('ä')
    expect(recording.keep()).toBe(false)
    recording.charged(usageOf({ prompt: 1 }))
    expect(recording.keep()).toBe(false)
    expect(finish(recording)).toBe('ä')
    const searched = newRecording(newBudget())
    searched.add('ä')
    searched.isWhole = true
    searched.charged(usageOf({ prompt: 1, webSearches: 1 }))
    expect(searched.keep()).toBe(false)
  })
})
