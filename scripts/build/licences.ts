import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

const FOLDER = resolve('out/licences')

/** Writes the licences of the packages bundled into `part` next to the build, to be packed with it. */
export function licences(part: string): Plugin {
  let written = ''
  return {
    name: 'licences',
    apply: 'build',
    config: () => ({ build: { license: { fileName: 'licences.md' } } }),
    configResolved(config) {
      written = resolve(config.root, config.build.outDir, 'licences.md')
    },
    async closeBundle(error) {
      if (error || !existsSync(written)) return
      await mkdir(FOLDER, { recursive: true })
      await rename(written, join(FOLDER, `${part}.md`))
    },
  }
}
