import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { archived } from '../../scripts/natives.mjs'

/**
 * Extracts a packed archive: plain Node cannot read one, Electron can. Files next to the archive are linked, so that
 * native code comes from `app.asar.unpacked` as in Electron. Returns the new folder.
 */
export function extract(resources: string): string {
  const archive = join(resources, 'app.asar')
  const folder = join(resources, 'extracted')
  const bytes = readFileSync(archive)
  const start = 8 + bytes.readUInt32LE(4)
  for (const [path, { size, offset, unpacked }] of archived(archive)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const at = start + Number(offset)
    if (unpacked) symlinkSync(join(resources, 'app.asar.unpacked', path), file)
    else writeFileSync(file, bytes.subarray(at, at + size))
  }
  return folder
}
