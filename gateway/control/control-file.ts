import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { replaceFile } from '../base/whole-file.ts'

const FILE = 'control.json'

const controlAddress = z.object({
  pid: z.int(),
  /** A socket in the data folder, or a Windows pipe. */
  socket: z.string(),
  /** Generated at each start. */
  secret: z.string(),
})

/**
 * How the command line connects to the running gateway of a data folder
 * (docs/reference/command-line.md#a-running-gateway).
 */
type ControlAddress = z.infer<typeof controlAddress>

/** Writes the file, readable only by the owner. */
export const writeControlFile = (folder: string, connection: ControlAddress): void =>
  replaceFile(join(folder, FILE), `${JSON.stringify(connection)}\n`)

export const removeControlFile = (folder: string): void => rmSync(join(folder, FILE), { force: true })

/** The connection data, if any; also undefined if others could have read or written the file. */
export function readControlFile(folder: string): ControlAddress | undefined {
  const file = join(folder, FILE)
  if (!existsSync(file)) return undefined
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) return undefined
  const read = controlAddress.safeParse(parsed(readFileSync(file, 'utf8')))
  return read.success ? read.data : undefined
}
