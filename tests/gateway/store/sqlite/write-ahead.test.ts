import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openWriteAhead } from '../../../../gateway/store/sqlite/write-ahead.ts'
import { aFolder } from '../../billing/till.ts'

/** A file on a disk that fails on command. As on Linux, data that the disk has refused is discarded. */
function aLog() {
  const file = join(aFolder(), 'a-wal')
  const disk = { fails: false, held: '', dirty: true, isFull: false, alone: 0 }
  writeFileSync(file, 'header')
  const log = openWriteAhead({
    file,
    exclusively: async (work) => {
      disk.alone += 1
      work()
    },
    write: ((...how: [number, Buffer, number, number, number]) => {
      if (disk.isFull) throw new Error('no space left on device')
      disk.dirty = true
      const [descriptor, bytes, from, length, at] = how
      return writeSync(descriptor, bytes, from, Math.min(length, 300_000), at)
    }) as typeof writeSync,
    sync: async () => {
      const wasDirty = disk.dirty
      disk.dirty = false
      if (disk.fails) throw new Error('input/output error')
      if (wasDirty) disk.held = readFileSync(file, 'utf8')
    },
  })
  onTestFinished(log.close)
  const commit = (text: string) => {
    writeFileSync(file, text, { flag: 'a' })
    disk.dirty = true
  }
  return { file, disk, log, commit, text: () => readFileSync(file, 'utf8') }
}

describe('the write-ahead log on the disk', () => {
  it('is synced unchanged while the disk works', async () => {
    const { disk, log, commit, text } = aLog()
    commit('one')
    await log.synced()
    expect(disk.held).toBe(text())
    expect(disk.alone).toBe(0)
  })

  it('is written again, byte for byte, after a sync that failed, since the next sync would write nothing', async () => {
    const { disk, log, commit, text } = aLog()
    commit('x'.repeat(2_500_001))
    disk.fails = true
    await expect(log.synced()).rejects.toThrow('input/output')
    const before = text()
    disk.fails = false
    await log.synced()
    expect(text()).toBe(before)
    expect(disk.held).toBe(before)
    await log.synced()
    expect(disk.alone).toBe(1)
  })

  it('stays unsure until both the writing and the sync succeed', async () => {
    const { disk, log, commit, text } = aLog()
    commit('one')
    disk.fails = true
    await expect(log.synced()).rejects.toThrow('input/output')
    disk.isFull = true
    await expect(log.synced()).rejects.toThrow('no space')
    disk.isFull = false
    await expect(log.synced()).rejects.toThrow('input/output')
    disk.fails = false
    await log.synced()
    expect(disk.held).toBe(text())
  })

  it('is not synced any more when it is closed, for its number may be that of another file', async () => {
    const file = join(aFolder(), 'a-wal')
    writeFileSync(file, 'header')
    const log = openWriteAhead({ file, exclusively: async (work) => work() })
    log.close()
    await expect(log.synced()).rejects.toThrow('closed')
  })
})
