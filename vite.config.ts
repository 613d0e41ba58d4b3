import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { blueprint } from './scripts/build/blueprint.ts'
import { compressed } from './scripts/build/compressed.ts'

/** The gateway that the development server asks; `npm run dev` sets it. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:6411'

const devServer = 'http://127.0.0.1:5173'

/** What is not put together: each is loaded by itself, as needed. */
const isApart = (id: string) =>
  /@blueprintjs\/icons\/.*(paths|allPaths)|\/(shared|renderer)\/messages\/|\/shared\/options\/|\/pages\/playground\/|\/(marked|dompurify)\//.test(
    id,
  )

/** `frame` is all that the first view takes, `common` what many pages share, and icons are too small for files of their own. */
const groups = [
  { name: 'frame', tags: ['$initial' as const], test: (id: string) => !isApart(id), priority: 3 },
  { name: 'common', minShareCount: 15, test: (id: string) => !isApart(id), priority: 2 },
  { name: 'icons', minShareCount: 2, test: /@blueprintjs\/icons\/lib\/esm\/generated\/components\//, priority: 1 },
]

/** How the console is built, for a browser and for the desktop window alike: both load it from the gateway's own address. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: '/',
  plugins: [react(), ...blueprint, compressed()],
  build: {
    outDir: join(import.meta.dirname, 'out/renderer'),
    emptyOutDir: true,
    target: 'es2023',
    minify: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(import.meta.dirname, 'renderer/index.html'),
      // Names are in the first view, and what tells two releases apart cannot be packed: seven letters do.
      output: {
        codeSplitting: { groups },
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  server: {
    host: new URL(devServer).hostname,
    port: Number(new URL(devServer).port),
    strictPort: true,
    cors: false,
    proxy: {
      '^/(api|v1|v1beta|pg|mj|suno|dashboard)/(?!.*\\.tsx?($|\\?))': {
        target: gateway,
        changeOrigin: true,
        ws: true,
        // The gateway answers only to its own name and to its own pages; here those come from this server.
        configure: (proxy) =>
          proxy.on('proxyReq', (outgoing, incoming) => {
            if (incoming.headers.origin === devServer) outgoing.setHeader('origin', gateway)
          }),
      },
    },
  },
})
