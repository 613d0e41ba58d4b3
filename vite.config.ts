import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { lightened } from './vite.light.ts'

/** The gateway that the development server asks; `npm run dev` sets it. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:6411'

const devServer = 'http://127.0.0.1:5173'

/**
 * Icons by their names and languages stay apart, loaded as needed, each language in two parts (renderer/i18n.ts); and so does
 * what the parts of the playground share among themselves, and tabs, which only seldom opened parts have.
 */
const isBundled = (id: string) =>
  !/blueprintjs\/icons\/.*(paths|allPaths)|components\/tabs\/|(shared|renderer)\/messages|pages\/playground/.test(id)

/**
 * What more than one page needs goes into one of two files, so that a load is few requests: `frame` is all that the first
 * view takes, `common` what pages share beyond it.
 */
const groups = [
  ...['en', 'zh'].flatMap((locale) => [
    {
      name: `${locale}-first`,
      test: new RegExp(`messages/${locale}/(label|failure|frame)\\.ts`),
      priority: 3,
    },
    { name: `${locale}-rest`, test: new RegExp(`messages/${locale}(/|\\.ts)`), priority: 2 },
  ]),
  { name: 'frame', tags: ['$initial' as const], test: isBundled, priority: 1 },
  { name: 'common', minShareCount: 4, test: isBundled },
]

/** How the console is built, for a browser and for the desktop window alike: both load it from the gateway's own address. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: '/',
  plugins: [react(), ...lightened],
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
      output: { codeSplitting: { groups } },
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
