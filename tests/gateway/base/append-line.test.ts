import { chmodSync, existsSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendLine } from '../../../gateway/base/whole-file.ts'
import { aFolder } from '../../process/house.ts'

const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

/** Simulates a disk that accepts `room` bytes, at most three per write, and then is full. */
function aDisk(room: number): typeof writeSync {
  let left = room
  // Stands in for the only overload of `writeSync` in use.
  return ((descriptor: number, bytes: Buffer, at: number, length: number) => {
    if (left === 0) throw full
    const taken = writeSync(descriptor, bytes, at, Math.min(3, left, length))
    left -= taken
    return taken
  }) as typeof writeSync
}

const aFile = async () => join(await aFolder(), 'lines.journal')
const text = (file: string) => readFileSync(file, 'utf8')

it('adds whole lines, and creates the file with access for its owner only', async () => {
  const file = await aFile()
  appendLine(file, '{"a":"ä"}')
  appendLine(file, '{"b":2}', aDisk(100))
  expect(text(file)).toBe('{"a":"ä"}\n{"b":2}\n')
  if (process.platform === 'win32') return
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o644)
  appendLine(file, '3')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('adds nothing where the disk accepts only a part of a line, and continues once it accepts all', async () => {
  const file = await aFile()
  expect(() => appendLine(file, 'first', aDisk(0))).toThrow(full)
  expect(existsSync(file) ? text(file) : '').toBe('')
  appendLine(file, 'first')
  for (const room of [0, 1, 4, 6]) {
    expect(() => appendLine(file, 'second', aDisk(room))).toThrow(full)
    expect(text(file)).toBe('first\n')
  }
  appendLine(file, 'second')
  expect(text(file)).toBe('first\nsecond\n')
})

it('ends a half line that a death left, so that its own is whole', async () => {
  const file = await aFile()
  writeFileSync(file, 'first\n{"ha')
  appendLine(file, 'second')
  expect(text(file)).toBe('first\n{"ha\nsecond\n')
})
