import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

/** What the page of the API's document loads, and under which terms; what counts the viewer's installations stays out. */
const files = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']

/**
 * Copies the viewer of the API's document to `folder`, a quarter as large (gateway/api/system/docs.ts reads it), so that what is packed
 * needs no package for it.
 */
export function viewer(folder: string): Plugin {
  const home = 'node_modules/swagger-ui-dist'
  return {
    name: 'viewer',
    apply: 'build',
    async closeBundle(error) {
      if (error) return
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      await Promise.all(files.map((name) => copy(join(home, name), join(folder, `${name}.br`))))
    },
  }
}

async function copy(from: string, to: string): Promise<void> {
  await writeFile(to, await promisify(brotliCompress)(await readFile(from)))
}
