import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The gateway that the development server asks; `npm run dev` sets it. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:6411'

const devServer = 'http://127.0.0.1:5173'

/**
 * What pages share goes into one file, so that a first load is few requests; icons and languages stay apart, loaded as
 * needed, and so does what the parts of the playground share among themselves, and tabs, which only seldom opened parts have.
 */
const isShared = (id: string) =>
  !/blueprintjs\/icons\/.*(paths|allPaths)|components\/tabs\/|(shared|renderer)\/messages|pages\/playground/.test(id)

/** How the console is built, for a browser and for the desktop window alike: both load it from the gateway's own address. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: '/',
  plugins: [react()],
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
      output: { codeSplitting: { groups: [{ name: 'common', minShareCount: 2, test: isShared }] } },
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
