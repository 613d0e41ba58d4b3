import { describe, expect, it } from 'vitest'
import { readInSteps, stepsOf } from '../../../gateway/base/row-steps.ts'

const MIB = 1024 * 1024
const sizes = (...bytes: number[]) => bytes.map((size, index) => ({ id: index + 1, bytes: size }))
const unlimited = { grow: () => {} }

describe('rows that are read in steps', () => {
  it.each([
    ['none', [], []],
    ['short rows', [10, 10, 10], [[1, 2, 3]]],
    ['long rows, each separately', [MIB, MIB, 10 * MIB], [[1], [2], [3]]],
    ['both', [10, 2 * MIB, 10, 10], [[1], [2], [3, 4]]],
    ['rows that fit together', [MIB / 4, MIB / 4, MIB / 4, MIB / 4], [[1, 2, 3], [4]]],
  ])('split %s', (_, bytes, steps) => {
    expect(stepsOf(sizes(...bytes))).toEqual(steps)
  })

  it('bound the number of short rows of a step', () => {
    const lengths = stepsOf(sizes(...Array<number>(1000).fill(0))).map((step) => step.length)
    expect(lengths).toEqual([...Array(7).fill(128), 104])
  })

  it('come in the requested order, without those that are gone', async () => {
    const read = async (ids: readonly number[]) =>
      ids
        .filter((id) => id !== 2)
        .map((id) => ({ id }))
        .toReversed()
    expect(await readInSteps(sizes(1, 2, 3), read, unlimited)).toEqual([{ id: 1 }, { id: 3 }])
  })

  it('let other events run between steps', async () => {
    let others = 0
    const read = async (ids: readonly number[]) => {
      setImmediate(() => {
        others += 1
      })
      return ids.map((id) => ({ id }))
    }
    await readInSteps(sizes(...Array<number>(5).fill(2 * MIB)), read, unlimited)
    expect(others).toBe(4)
  })

  it('are not read without memory for them', async () => {
    const memory = {
      grow(bytes: number) {
        throw new Error(`${bytes} are too many`)
      },
    }
    const read = () => Promise.reject(new Error('was read'))
    await expect(readInSteps(sizes(MIB), read, memory)).rejects.toThrow(`${3 * MIB} are too many`)
  })
})
