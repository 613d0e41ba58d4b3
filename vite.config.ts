import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './vite.compressed.ts'
import { withoutSchemas } from './vite.contracts.ts'
import { earlyPages } from './vite.early.ts'
import { lightened } from './vite.light.ts'

/** The gateway that the development server asks; `npm run dev` sets it. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:6411'

const devServer = 'http://127.0.0.1:5173'

/**
 * Icons by their names and texts stay apart, loaded as needed (renderer/i18n.ts); so do what reads Markdown and HTML, and
 * what the parts of the playground share among themselves, and tabs, which only seldom opened parts have.
 */
const isBundled = (id: string) =>
  !/blueprintjs\/icons\/.*(paths|allPaths)|components\/tabs\/|zod\/v4\/(classic|locales)|(shared|renderer)\/messages|shared\/options|pages\/playground|\/(marked|dompurify)\/|components\/(clean-html|operator-text)\//.test(
    id,
  )

/** What lists have of Blueprint beyond the first view, fields and what they stand on; and all that the dashboard shares with other pages. */
const isOfLists = (id: string) =>
  /@blueprintjs\/icons\/lib\/esm\/generated\/components\/|@blueprintjs\/core\/lib\/esm\/(common|context|hooks\/(?!overlays))|@babel\/runtime|components\/(popover\/popupKind|html-select|html-table|button\/buttonGroup|forms\/(inputGroup|asyncControllableInput|controls|formGroup|controlGroup)|confirm\/confirm\.tsx|form\/(submit-by-keys|typed-text)|focus-after\.ts|later\.tsx|sentences\.ts|popover\/(parts|popover|tag-popover)\.tsx|page-table\/|page-frame\/|progress-bar\/|moment\.ts|save-file\.ts|use-duration\.ts|amount\.ts|filter-bar\/|group-tags\/|column-settings\/|presets\/)|renderer\/api\/use-page/.test(
    id,
  )

/** What opens over a page, and what it stands on: no list needs it to show its rows. */
const isOverlay = (id: string) =>
  /@floating-ui|react-transition-group|dom-helpers|@blueprintjs\/core\/lib\/esm\/(hooks\/overlays|components\/(overlay|portal|popover|tooltip|menu|context-menu))|components\/popover\/(blueprint|open)-popover/.test(
    id,
  )

/** What the list of channels has in common with what opens over it. */
const isOfChannels = (id: string) =>
  /renderer\/pages\/channel\/(keys\/use-keys|runs\/run-facts|test\/use-test)|shared\/api\/channel|renderer\/components\/(band|vendor-mark)/.test(
    id,
  )

/** What pages with fields have at once, and what opens nothing over them. */
const isField = (id: string) =>
  /components\/(segmented-control|control-card|forms\/radioGroup)|renderer\/components\/(form\/form|text-field)/.test(
    id,
  )

/** What only drawers, dialogs and long forms have, which no list needs to show its rows. */
const isForm = (id: string) =>
  /@blueprintjs\/select|components\/(dialog|drawer|tag-input|toast|forms\/(textArea|numericInput|asyncControllableTextArea))|renderer\/components\/(tag-list-input|quota-input|side-drawer|number-field|json-field|confirm\/confirm-dialog)/.test(
    id,
  )

/** What the pages for who is not signed in have in common, and the dialog that asks for a password once more. */
const isEntry = (id: string) =>
  /renderer\/components\/(entry-card|login-form|human-check\/(human-check-field|use-human-check)|invite-code|new-account|use-wait)/.test(
    id,
  )

/**
 * What more than one page needs goes into few files, so that a load is few requests: `frame` is all that the first view takes,
 * `list` and `common` what lists share beyond it, of which the dashboard needs `list` alone, `field` what pages with fields do,
 * `overlay` and `form` what opens over them.
 */
const groups = [
  { name: 'frame', tags: ['$initial' as const], test: isBundled, priority: 4 },
  { name: 'list', test: isOfLists, minShareCount: 2, priority: 3 },
  { name: 'side', test: /renderer\/shell\/(sidebar|side-menu|menu-icons)/, priority: 3 },
  { name: 'overlay', test: isOverlay, priority: 2 },
  // Before the forms, which would take them along: figures are on every page.
  { name: 'figures', test: /\/shared\/(money|decimal|pricing|json)\.ts|quota-input\/use-amount-unit/, priority: 2 },
  { name: 'json-text', test: /\/shared\/json-text\.ts/, minShareCount: 2, priority: 2 },
  { name: 'field', test: isField, minShareCount: 2, priority: 2 },
  { name: 'channels', test: isOfChannels, minShareCount: 2, priority: 1 },
  { name: 'form', test: isForm, minShareCount: 2, priority: 1 },
  { name: 'entry', test: isEntry, minShareCount: 2, priority: 1 },
  {
    name: 'written',
    test: /\/(marked|dompurify)\/|components\/(clean-html|operator-text)\//,
    minShareCount: 2,
    priority: 1,
  },
  { name: 'common', minShareCount: 4, test: isBundled },
]

/** How the console is built, for a browser and for the desktop window alike: both load it from the gateway's own address. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: '/',
  plugins: [react(), withoutSchemas(), earlyPages(), ...lightened, compressed()],
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
