import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const inOwnMounts = ['--map-root-user', '--mount', 'sh', '-c']
const canMount = spawnSync('unshare', [...inOwnMounts, 'mount -t tmpfs none /mnt']).status === 0

/** Prints whether there is space on an empty disk of 64 MiB, then with 62 MiB, then with 32 MiB of data. */
const script = `
import { createDiskSpace } from ${JSON.stringify(join(import.meta.dirname, '../../gateway/base/disk-space.ts'))}
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const folder = process.cwd()
let now = 0
const hasSpace = createDiskSpace(folder, { monotonic: () => now })
for (const mebibytes of [0, 62, 32]) {
  writeFileSync('data', Buffer.alloc(mebibytes * 1024 ** 2))
  now += 2000
  hasSpace()
  await sleep(100)
  console.log(hasSpace())
}`

describe.runIf(canMount)('an almost full disk (docs/reference/limits.md#disk-space)', () => {
  it('has no space for data without a charge until data is deleted', () => {
    const folder = mkdtempSync(join(tmpdir(), 'disk-space-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const command = 'mount -t tmpfs -o size=64m none . && cd "$PWD" && exec "$0" --input-type=module --eval "$1"'
    const { stdout, stderr } = spawnSync('unshare', [...inOwnMounts, command, process.execPath, script], {
      cwd: folder,
    })
    expect([String(stderr), String(stdout).trim().split('\n')]).toEqual(['', ['true', 'false', 'true']])
  })
})
