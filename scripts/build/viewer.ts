import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Files that the page of the API's document loads, and their licences; without the file that counts the viewer's
 * installations.
 */
const files = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']

/**
 * Copies the compressed viewer of the API's document to `folder` (gateway/api/system/docs.ts reads it), a quarter of
 * the size, so that packages do not depend on the viewer's own package.
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
