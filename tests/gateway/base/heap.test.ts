import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { releaseStartMemory } from '../../../gateway/base/heap.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('collects the garbage of the start once, a second after it', async () => {
  const garbage = new WeakRef({})
  releaseStartMemory()
  // The target of a new reference stays alive until the end of its task.
  await new Promise(setImmediate)
  vi.advanceTimersByTime(999)
  expect(garbage.deref()).toBeDefined()
  await new Promise(setImmediate)
  vi.advanceTimersByTime(1)
  expect(garbage.deref()).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})
