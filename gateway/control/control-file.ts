import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { replaceFile } from '../base/whole-file.ts'

const FILE = 'control.json'

const way = z.object({
  pid: z.int(),
  /** A socket in the data folder, or a pipe of Windows. */
  socket: z.string(),
  /** Made again at each start. */
  secret: z.string(),
})

/** How the command line reaches the gateway that has a data folder (docs/reference/command-line.md#a-running-gateway). */
type ControlWay = z.infer<typeof way>

/** Tells it, to whoever can read the owner's files alone. */
export const writeWay = (folder: string, told: ControlWay): void =>
  replaceFile(join(folder, FILE), `${JSON.stringify(told)}\n`)

/** Nobody is to come any more. */
export const forgetWay = (folder: string): void => rmSync(join(folder, FILE), { force: true })

/** The way in, if one was told; undefined also where others could have read or written it. */
export function readWay(folder: string): ControlWay | undefined {
  const file = join(folder, FILE)
  if (!existsSync(file)) return undefined
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) return undefined
  const read = way.safeParse(parsed(readFileSync(file, 'utf8')))
  return read.success ? read.data : undefined
}
