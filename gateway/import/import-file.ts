import { once } from 'node:events'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { SentFile } from '../../shared/api/call.ts'
import { refuse } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { type FileKind, kindOf } from './read-file.ts'

/** An uploaded file to be imported; readable only by the owner, in the data folder. */
export type ImportFile = Readonly<{ path: string; name: string; size: number; kind: FileKind }>

/** The folder of such files; emptied on every start. */
const FOLDER = 'import'
/** Max bytes of an upload; the command line accepts any size. */
const MAX_BYTES = 4 * 1024 ** 3
/** Space reserved for the gateway's own database. */
const SPARE_BYTES = 512 * 1024 ** 2
const CHECK_EVERY_BYTES = 64 * 1024 ** 2

export const forgetFiles = (dataFolder: string): void =>
  rmSync(join(dataFolder, FOLDER), { recursive: true, force: true })

/** Deletes a file, and the files SQLite created next to it. */
export function forgetFile({ path }: Pick<ImportFile, 'path'>): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true })
}

/**
 * Stores a file as it is received. Throws, and deletes it, if it is too large, if there is not enough space, or if it
 * is neither a database nor a config.yaml.
 */
export async function storeFile(dataFolder: string, name: string, sent: SentFile): Promise<ImportFile> {
  const folder = join(dataFolder, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomKey(16))
  try {
    await assertSpace(folder, sent.length ?? 0)
    const size = await writeChunks(path, folder, sent)
    return { path, name: shortName(name), size, kind: kindOf(path) }
  } catch (error) {
    forgetFile({ path })
    throw error
  }
}

/** The file name without its path, for display. */
export const shortName = (name: string): string => basename(name.replaceAll('\\', '/')).slice(0, 200) || 'file'

async function writeChunks(path: string, folder: string, { chunks }: SentFile): Promise<number> {
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = finished(out)
  // Handled below; avoids an unhandled rejection until then.
  closed.catch(() => {})
  let size = 0
  let checkedAt = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > MAX_BYTES) throw tooLarge()
      if (size - checkedAt > CHECK_EVERY_BYTES) {
        checkedAt = size
        await assertSpace(folder, 0)
      }
      if (!out.write(chunk))
        await once(out, 'drain').catch((cause) => {
          throw noSpace(cause)
        })
    }
  } catch (error) {
    out.destroy()
    throw error
  }
  out.end()
  await closed.catch((cause) => {
    throw noSpace(cause)
  })
  return size
}

async function assertSpace(folder: string, required: number): Promise<void> {
  if (required > MAX_BYTES) throw tooLarge()
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < required + SPARE_BYTES) throw noSpace(undefined)
}

const tooLarge = () => refuse('tooLarge', 'import.too_large', { limit: '4 GiB' })
const noSpace = (cause: unknown) => refuse('unavailable', 'import.no_space', {}, { cause })
