import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import browserConsole from './vite.config.ts'

/** electron-vite would make asset addresses relative, for files; here the window loads the console over HTTP, at any depth. */
const servedFromRoot: Plugin = {
  name: 'served-from-root',
  enforce: 'post',
  config: (config) => {
    config.base = '/'
  },
}

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node24',
      externalizeDeps: { include: ['keytar'] },
      rolldownOptions: {
        input: { index: 'main/index.ts', gateway: 'gateway/headless.mjs' },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: { input: 'main/preload.ts', output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
    },
  },
  renderer: { ...browserConsole, plugins: [browserConsole.plugins, servedFromRoot] },
})
