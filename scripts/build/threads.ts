import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { licences } from './licences.ts'

/** Both tools run in the project’s folder; `import.meta` is that of the configuration, which they bundle. */
const root = process.cwd()
/** A module that runs itself on a thread; on which side it is, it asks `parentPort` and its role (gateway/base/secrets/argon2-thread.ts). */
const isThread = /[\\/]gateway[\\/].*-thread\.ts$/
const OWN_FILE = 'new URL(import.meta.url)'
const ITS_SIDE = 'if (parentPort && '

/**
 * Builds what runs on threads once more: each as one CommonJS file in `threads/` beside the program, with all it needs but
 * `external`. Electron reads such a file from within its archive, where a thread has no loader for ES modules; what stays
 * in the program starts that file and holds nothing of the thread's own work.
 */
export function threads(external: readonly string[]): Plugin {
  let folder = ''
  return {
    name: 'threads',
    apply: 'build',
    configResolved(config) {
      folder = join(config.build.outDir, 'threads')
    },
    transform: {
      order: 'pre',
      filter: { id: isThread },
      handler(code, id) {
        for (const expected of [OWN_FILE, ITS_SIDE])
          if (code.split(expected).length !== 2) throw new Error(`${id}: a thread says \`${expected}\` once`)
        // Each such module is imported dynamically only, so it is a file in `chunks/`.
        const file = `new URL('../threads/${nameOf(id)}.cjs', import.meta.url)`
        return { code: code.replace(OWN_FILE, file).replace(ITS_SIDE, 'if (false && '), map: null }
      },
    },
    async closeBundle(error) {
      if (!error) for (const path of globSync('gateway/**/*-thread.ts', { cwd: root })) await buildThread(path)
    },
  }

  async function buildThread(path: string): Promise<void> {
    const name = nameOf(path)
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [squeezedVocabularies, licences(name)],
      ssr: { noExternal: true },
      build: {
        ssr: join(root, path),
        target: 'node24',
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: {
          external: [...external],
          output: { format: 'cjs', minify: readable, entryFileNames: `${name}.cjs`, chunkFileNames: '[name].cjs' },
        },
      },
    })
  }
}

/** Without blanks and comments, but with every name: what a fault says of itself can be found in the sources. */
export const readable = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const

/** The tokenizer's tables, a third as large: as a compressed text, read where the table is asked for. */
const squeezedVocabularies: Plugin = {
  name: 'squeezed-vocabularies',
  load: {
    filter: { id: /gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]\w+\.js$/ },
    async handler(id) {
      const { default: table } = (await import(pathToFileURL(id).href)) as { default: unknown } // a module of one list
      const text = Buffer.from(JSON.stringify(table))
      // One step above this takes ten times as long and saves a twentieth.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
      return [
        "import { brotliDecompressSync } from 'node:zlib'",
        `const text = '${brotliCompressSync(text, { params }).toString('base64')}'`,
        "export default JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString())",
      ].join('\n')
    },
  },
}

const nameOf = (path: string) => basename(path, '.ts')
