import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareRestore } from '../../../gateway/backup/restore.ts'
import { createVault } from '../../../gateway/base/ciphers.ts'
import { openDatabase } from '../../../gateway/store/database.ts'
import { latestVersion } from '../../../gateway/store/migrate.ts'
import { aFolder } from '../../process/house.ts'
import { aClock } from '../../support/clock.ts'

/** Somebody writes into the file while it is copied: the copy has a number in its head that the file had not. */
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

it('the copy that is restored is the one whose checksum is looked at (docs/reference/backup.md#what-is-checked)', async () => {
  const [source, folder] = [await aFolder(), await aFolder()]
  await (await openDatabase(source, 1)).close()
  const file = join(source, 'switchyard.db')
  const bytes = readFileSync(file)
  const key_id = '00000000'
  const told = { product: 'switchyard', kind: 'backup', version: 1, made_at: 1, made_by: 'person', release: '1' }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const more = { schema: latestVersion, bytes: bytes.length, sha256, key_id, differences: 0 }
  writeFileSync(`${file}.json`, JSON.stringify({ ...told, ...more }))
  writtenWhileCopied()
  const vault = createVault(Buffer.alloc(32))
  const wanted = { folder, clock: aClock(), vault, mayUpgrade: false, mayDiffer: false, by: 'root' }
  await expect(prepareRestore(file, wanted)).rejects.toMatchObject({ key: 'backup.bad_altered' })
})
