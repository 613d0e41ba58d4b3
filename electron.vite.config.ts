import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { licences } from './scripts/build/licences.ts'
import { readable, threads } from './scripts/build/threads.ts'
import { viewer } from './scripts/build/viewer.ts'
import browserConsole from './vite.config.ts'

/** What holds machine code, which no bundle can; all else of the packages is part of what is built. */
const natives = ['better-sqlite3', '@node-rs/argon2', 'keytar']

/** electron-vite would make asset addresses relative, for files; here the window loads the console over HTTP, at any depth. */
const servedFromRoot: Plugin = {
  name: 'served-from-root',
  enforce: 'post',
  config: (config) => {
    config.base = '/'
  },
}

/**
 * A package of the passkeys' asks for what another adds to `Reflect` as it is loaded; in one file it would come first. A test
 * loads every file that is built (tests/e2e/packed.deep.spec.ts).
 */
const reflectedFirst: Plugin = {
  name: 'reflected-first',
  transform: {
    filter: { id: /[\\/]tsyringe[\\/]dist[\\/]\w+[\\/]index\.js$/ },
    handler: (code) => ({ code: `import 'reflect-metadata'\n${code}`, map: null }),
  },
}

export default defineConfig({
  main: {
    plugins: [reflectedFirst, threads(natives), viewer('out/viewer'), licences('gateway')],
    build: {
      outDir: 'out/main',
      target: 'node24',
      externalizeDeps: false,
      rolldownOptions: {
        // The driver of Redis imports `xxhash` only for digests, which the gateway does not use.
        external: [...natives, '@node-rs/xxhash'],
        // A package of the router's marks what it deprecates by it; nothing from outside comes there.
        checks: { eval: false },
        input: { index: 'main/index.ts', gateway: 'gateway/headless.mjs' },
        // V8 stores a file of only ASCII characters with one byte for each of them, else with two.
        output: { format: 'es', minify: readable, charset: 'ascii', comments: false },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: { input: 'main/preload.ts', output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
    },
  },
  renderer: { ...browserConsole, plugins: [browserConsole.plugins, servedFromRoot, licences('console')] },
})
