import { once } from 'node:events'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { SentFile } from '../../shared/api/call.ts'
import { refuse } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { type FileKind, kindOf } from './read-file.ts'

/** A file that waits to be imported; owner-only, in the data folder. */
export type KeptFile = Readonly<{ path: string; name: string; size: number; kind: FileKind }>

/** The folder of such files; nothing in it outlives the process. */
const FOLDER = 'import'
/** What is sent over HTTP; a shell takes any size. */
const MAX_BYTES = 4 * 1024 ** 3
/** Space that is left to the gateway's own database. */
const SPARE_BYTES = 512 * 1024 ** 2
const LOOK_EVERY = 64 * 1024 ** 2

/** Removes what an earlier process has left. */
export const forgetFiles = (dataFolder: string): void =>
  rmSync(join(dataFolder, FOLDER), { recursive: true, force: true })

/** Removes a file and what SQLite has made beside it. */
export function forgetFile({ path }: Pick<KeptFile, 'path'>): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true })
}

/**
 * Writes a file as it comes. Refuses what is too large, for which there is no space, or neither a database nor a
 * config.yaml; then nothing of it stays.
 */
export async function keepFile(dataFolder: string, name: string, sent: SentFile): Promise<KeptFile> {
  const folder = join(dataFolder, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomKey(16))
  try {
    await assertSpace(folder, sent.length ?? 0)
    const size = await written(path, folder, sent)
    return { path, name: shortName(name), size, kind: kindOf(path) }
  } catch (error) {
    forgetFile({ path })
    throw error
  }
}

/** A name as people know the file, without a path. */
export const shortName = (name: string): string => basename(name.replaceAll('\\', '/')).slice(0, 200) || 'file'

async function written(path: string, folder: string, { chunks }: SentFile): Promise<number> {
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = finished(out)
  // Told below; until then nobody listens.
  closed.catch(() => {})
  let size = 0
  let looked = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > MAX_BYTES) throw tooLarge()
      if (size - looked > LOOK_EVERY) {
        looked = size
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

async function assertSpace(folder: string, wanted: number): Promise<void> {
  if (wanted > MAX_BYTES) throw tooLarge()
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < wanted + SPARE_BYTES) throw noSpace(undefined)
}

const tooLarge = () => refuse('tooLarge', 'import.too_large', { limit: '4 GiB' })
const noSpace = (cause: unknown) => refuse('unavailable', 'import.no_space', {}, { cause })
