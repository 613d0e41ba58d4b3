import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { prepareRestore } from '../../../gateway/backup/restore.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { openDatabase } from '../../../gateway/store/sqlite/database.ts'
import { latestVersion } from '../../../gateway/store/sqlite/migrate.ts'
import { aFolder } from '../../process/house.ts'
import { aClock } from '../../support/clock.ts'

/** The calls of the copy thread's functions, in order. */
const asked = vi.hoisted(() => [] as string[])
vi.mock('../../../gateway/store/sqlite/copy-thread.ts', async (original) => {
  const real = await original<typeof import('../../../gateway/store/sqlite/copy-thread.ts')>()
  const checkDatabase: typeof real.checkDatabase = (file) => {
    asked.push('check')
    return real.checkDatabase(file)
  }
  const sealedValuesOf: typeof real.sealedValuesOf = (file) => {
    asked.push('sealed')
    return real.sealedValuesOf(file)
  }
  return { ...real, checkDatabase, sealedValuesOf }
})

/** Simulates a write during the copying of a file: the header of the copy differs from the original's. */
function writtenWhileCopied(): void {
  const real = promises.copyFile
  const copyFile: typeof real = async (source, target) => {
    await real(source, target)
    const copy = openSync(String(target), 'r+')
    writeSync(copy, Buffer.of(1, 2, 3, 4), 0, 4, 60)
    closeSync(copy)
  }
  Object.assign(promises, { copyFile })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(promises, { copyFile: real })
    syncBuiltinESMExports()
  })
}

/** A database with its description, as in a backup. */
async function aBackup(): Promise<string> {
  const source = await aFolder()
  await (await openDatabase(source, 1)).close()
  const file = join(source, 'switchyard.db')
  const bytes = readFileSync(file)
  const told = { product: 'switchyard', kind: 'backup', version: 1, made_at: 1, made_by: 'person', release: '1' }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const more = { schema: latestVersion, bytes: bytes.length, sha256, key_id: '00000000', differences: 0 }
  writeFileSync(`${file}.json`, JSON.stringify({ ...told, ...more }))
  return file
}

const wanted = (folder: string) => {
  const vault = createVault(Buffer.alloc(32))
  return { folder, clock: aClock(), vault, mayUpgrade: false, mayDiffer: false, by: 'root' }
}

it('the copy that is restored is the one whose checksum is verified (docs/reference/backup.md#checks)', async () => {
  const [file, folder] = [await aBackup(), await aFolder()]
  writtenWhileCopied()
  await expect(prepareRestore(file, wanted(folder))).rejects.toMatchObject({ key: 'backup.bad_altered' })
})

it('checks that may read whole tables of a copy run in the thread for copies (docs/reference/backup.md#restore)', async () => {
  const [file, folder] = [await aBackup(), await aFolder()]
  asked.length = 0
  expect(await prepareRestore(file, wanted(folder))).toMatchObject({ from: 'switchyard.db', staged: 'restore' })
  expect(asked).toEqual(['check', 'sealed'])
})
