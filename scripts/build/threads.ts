import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { licences } from './licences.ts'

/** The project's folder, in which both build tools run; `import.meta` would be that of their bundled configuration. */
const root = process.cwd()
/**
 * A module that is the entry point of its own thread; `parentPort` and its role decide which side it is on
 * (gateway/base/secrets/argon2-thread.ts).
 */
const isThread = /[\\/]gateway[\\/].*-thread\.ts$/
const OWN_FILE = 'new URL(import.meta.url)'
const ITS_SIDE = 'if (parentPort && '

/**
 * Builds each thread's module as one CommonJS file in `threads/` next to the program, with all its imports except
 * `external`. Electron can start such a file from within its archive, where a thread has no loader for ES modules; the
 * program itself keeps only the code that starts the file.
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

/** Without whitespace and comments, but with every name, so that stack traces can be matched with the sources. */
export const readable = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const

/** Stores the tokenizer's tables as compressed text, a third of the size, decompressed on first use. */
const squeezedVocabularies: Plugin = {
  name: 'squeezed-vocabularies',
  load: {
    filter: { id: /gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]\w+\.js$/ },
    async handler(id) {
      const { default: table } = (await import(pathToFileURL(id).href)) as { default: unknown } // a table's module exports one list
      const text = Buffer.from(JSON.stringify(table))
      // The next higher level takes ten times as long and saves only 5 %.
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
