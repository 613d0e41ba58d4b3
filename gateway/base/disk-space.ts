import { statfs } from 'node:fs/promises'
import type { Clock } from './clock.ts'

/**
 * Returns a function that returns whether the disk of a folder has space for data that nobody pays for: the rest is
 * reserved for charges and their log rows (docs/reference/limits.md#disk-space). Its result is that of the last check,
 * which is repeated at most once a second; true if the space cannot be read.
 */
export function createDiskSpace(folder: string, clock: Pick<Clock, 'monotonic'>): () => boolean {
  let hasSpace = true
  let checkedMs = Number.NEGATIVE_INFINITY
  const check = async () => {
    const { bavail, blocks, bsize } = await statfs(folder)
    hasSpace = bavail * bsize >= Math.min(MAX_RESERVED_BYTES, blocks * bsize * RESERVED_SHARE)
  }
  return () => {
    const nowMs = clock.monotonic()
    if (nowMs - checkedMs >= CHECK_EVERY_MS) {
      checkedMs = nowMs
      check().catch(() => {
        hasSpace = true
      })
    }
    return hasSpace
  }
}

const MAX_RESERVED_BYTES = 512 * 1024 * 1024
const RESERVED_SHARE = 0.05
const CHECK_EVERY_MS = 1000
