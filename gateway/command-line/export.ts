import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { type Command, failure, wrongUse } from './command.ts'
import { withGateway } from './with-gateway.ts'

const USAGE = 'usage: export logs|options <file> [--format csv|json]'

/**
 * Writes the console's exports to a file (docs/reference/logs.md#export, docs/reference/options.md#export-and-import).
 */
export const exporting: Command = {
  args: 'logs|options <file>',
  about: 'writes the usage log or the settings into a file, also while a gateway runs',
  flags: { '--format': { value: 'csv|json', about: 'of the usage log; csv without it. Settings are JSON.' } },
  async run(deps, { args: [what, file, ...more], values }) {
    const { '--format': format = 'csv' } = values
    if (file === undefined || more.length > 0 || !['csv', 'json'].includes(format)) throw wrongUse(USAGE)
    if (what !== 'logs' && what !== 'options') throw wrongUse(USAGE)
    if (existsSync(file)) throw failure(`${file} exists already`)
    const path = what === 'logs' ? `/api/log/export?format=${format}` : '/api/option/export'
    const bytes = await withGateway(deps, async (shell) => written(file, await shell.file(path)))
    deps.print(`Written: ${file} (${bytes} bytes)`)
    return { result: { file, bytes } }
  },
}

/** Writes a file that only the owner can read; a partial file is deleted. Returns the number of bytes. */
async function written(file: string, parts: AsyncIterable<Buffer>): Promise<number> {
  const out = await open(file, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const part of parts) {
      bytes += part.length
      await out.writeFile(part)
    }
    await out.close()
    return bytes
  } catch (cause) {
    await out.close().catch(() => {})
    await rm(file, { force: true })
    throw failure(`${file} could not be written to its end: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
