import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../../gateway/billing/journal.ts'
import { aFolder } from './till.ts'

const aFile = () => join(aFolder(), 'a.journal')
const opened = (file: string, write?: typeof writeSync) => {
  const journal = openJournal(file, write)
  onTestFinished(journal.close)
  return journal
}
const three = [{ s: 1, text: 'one' }, { s: 2, text: 'zwei\n"数"' }, { s: 3 }]
const written = (file: string) => {
  const journal = opened(file)
  for (const record of three) journal.append(record)
  return journal
}

describe('a journal', () => {
  it('gives back every record in order, to this process and to the next', () => {
    const file = aFile()
    const journal = written(file)
    expect(journal.read()).toEqual({ records: three, damaged: 0 })
    expect(opened(file).read()).toEqual({ records: three, damaged: 0 })
    expect(journal.size()).toBe(statSync(file).size)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('has a record in the file when append returns', () => {
    const file = aFile()
    const journal = opened(file)
    journal.append({ s: 1 })
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{8} \{"s":1\}\n$/)
  })

  it('leaves out a last line cut short, at any byte, and calls it no damage', () => {
    const file = aFile()
    written(file)
    const bytes = readFileSync(file)
    const end = bytes.lastIndexOf('\n', bytes.length - 2) + 1
    for (let length = end; length < bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length))
      expect(opened(file).read(), `${length}`).toEqual({ records: three.slice(0, 2), damaged: 0 })
    }
  })

  it('counts a damaged line and reads the others, whatever byte of it is wrong', () => {
    const file = aFile()
    written(file)
    const bytes = readFileSync(file)
    const [first, second] = [bytes.indexOf('\n'), bytes.indexOf('\n', bytes.indexOf('\n') + 1)]
    for (let at = first + 1; at < second; at += 1) {
      const wrong = Buffer.from(bytes)
      wrong[at] = (wrong[at] ?? 0) ^ 0x15
      const isSpace = at === first + 9
      if (wrong[at] === 0x0a || isSpace) continue
      writeFileSync(file, wrong)
      expect(opened(file).read(), `${at}`).toEqual({ records: [three[0], three[2]], damaged: 1 })
    }
  })

  it('survives a file of garbage', () => {
    const file = aFile()
    writeFileSync(file, Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 31 + (at >> 3)) % 256)))
    const { records, damaged } = opened(file).read()
    expect(records).toEqual([])
    expect(damaged).toBeGreaterThan(0)
  })

  it('forgets everything when truncated, and goes on', () => {
    const file = aFile()
    const journal = written(file)
    journal.truncate()
    expect([journal.size(), statSync(file).size]).toEqual([0, 0])
    journal.append({ s: 9 })
    expect(journal.read().records).toEqual([{ s: 9 }])
  })

  it('takes back a line that the disk took only part of', () => {
    const file = aFile()
    let room = Number.POSITIVE_INFINITY
    const journal = opened(file, ((descriptor: number, bytes: Buffer, from: number, length: number) => {
      if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      const taken = writeSync(descriptor, bytes, from, Math.min(length, room))
      room -= taken
      return taken
    }) as typeof writeSync)
    journal.append({ s: 1 })
    const { size } = statSync(file)
    for (const left of [0, 1, 12]) {
      room = left
      expect(() => journal.append({ s: 2, text: 'a longer line' })).toThrow('no space')
      expect([statSync(file).size, journal.size()]).toEqual([size, size])
    }
    room = Number.POSITIVE_INFINITY
    journal.append({ s: 3 })
    expect(journal.read()).toEqual({ records: [{ s: 1 }, { s: 3 }], damaged: 0 })
  })

  it('writes in pieces where the disk takes pieces', () => {
    const file = aFile()
    const journal = opened(file, ((descriptor: number, bytes: Buffer, from: number) =>
      writeSync(descriptor, bytes, from, Math.min(7, bytes.length - from))) as typeof writeSync)
    for (const record of three) journal.append(record)
    expect(journal.read()).toEqual({ records: three, damaged: 0 })
  })

  it('holds the old records or the new ones, whole, whenever it is killed while it is rewritten', () => {
    const file = aFile()
    const seen: unknown[][] = []
    let isRewriting = false
    const journal = opened(file, ((descriptor: number, bytes: Buffer, from: number, length: number) => {
      if (isRewriting) seen.push(opened(file).read().records)
      return writeSync(descriptor, bytes, from, isRewriting ? Math.min(7, length) : length)
    }) as typeof writeSync)
    for (const record of three) journal.append(record)
    isRewriting = true
    journal.rewrite([{ s: 7 }, { s: 8, text: 'x'.repeat(50) }])
    expect(seen.length).toBeGreaterThan(10)
    for (const records of seen) expect(records).toEqual(three)
    isRewriting = false
    journal.append({ s: 9 })
    const left = [{ s: 7 }, { s: 8, text: 'x'.repeat(50) }, { s: 9 }]
    expect(opened(file).read()).toEqual({ records: left, damaged: 0 })
    expect([journal.size(), statSync(file).mode & 0o777]).toEqual([statSync(file).size, 0o600])
  })

  it('keeps the old records, and takes more of them, where the disk has no room for the new ones', () => {
    const file = aFile()
    let hasCapacity = true
    const journal = opened(file, ((descriptor: number, bytes: Buffer, from: number, length: number) => {
      if (!hasCapacity) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      return writeSync(descriptor, bytes, from, length)
    }) as typeof writeSync)
    for (const record of three) journal.append(record)
    hasCapacity = false
    expect(() => journal.rewrite([{ s: 9 }])).toThrow('no space')
    hasCapacity = true
    journal.append({ s: 10 })
    expect(opened(file).read()).toEqual({ records: [...three, { s: 10 }], damaged: 0 })
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('has no damage in what a crash appended after another one', () => {
    const file = aFile()
    written(file)
    truncateSync(file, statSync(file).size - 3)
    const journal = opened(file)
    journal.truncate()
    journal.append({ s: 4 })
    appendFileSync(file, 'torn')
    expect(opened(file).read()).toEqual({ records: [{ s: 4 }], damaged: 0 })
  })
})
