import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

const PLACE = '/assets/pages.json'

/**
 * Writes which files each route takes, so that they are asked for together with the frame and not once it runs
 * (renderer/public/early.js; docs/decisions/2026-11-22-a-light-first-view.md). It is a file of its own that the page names: it
 * grows with each page, and the first view of `/` asks for none.
 */
export function earlyPages(): Plugin {
  let source = ''
  return {
    name: 'early-pages',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, chunk }) {
        if (!bundle || !chunk) return []
        source = JSON.stringify(pagesIn(bundle, chunk.fileName))
        return [{ tag: 'meta', attrs: { name: 'pages', content: PLACE }, injectTo: 'head-prepend' }]
      },
    },
    // The file is named by what it holds, which is known once the page has been written.
    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset' || source === '') throw new Error('no page to name the list of files in')
      const list = this.getFileName(this.emitFile({ type: 'asset', name: 'pages.json', source }))
      page.source = String(page.source).replace(PLACE, `/${list}`)
    },
  }
}

/** By path: files, those of English, those of Chinese, as places in `files`. */
type EarlyPages = Readonly<{ files: readonly string[]; pages: Readonly<Record<string, readonly number[][]>> }>

function pagesIn(bundle: Rolldown.OutputBundle, entry: string): EarlyPages {
  const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk')
  const styles = Object.keys(bundle).filter((file) => /blueprint-of-pages.*\.css$/.test(file))
  const withImports = (chunk: Chunk | undefined, seen = new Set<string>()): Set<string> => {
    if (!chunk || seen.has(chunk.fileName)) return seen
    seen.add(chunk.fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
    for (const file of chunk.imports)
      withImports(
        chunks.find(({ fileName }) => fileName === file),
        seen,
      )
    return seen
  }
  const known = withImports(chunks.find(({ fileName }) => fileName === entry))
  const filesOf = (module: string) => {
    const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
    return [...withImports(found)].filter((file) => !known.has(file))
  }
  const files: string[] = []
  const places = (wanted: readonly string[]) =>
    [...new Set(wanted)].map((file) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1))
  const side = filesOf('/renderer/shell/sidebar.tsx')
  const pages = Object.fromEntries(
    routes().map(({ path, access, page, texts }) => {
      const code = [...styles, ...(access === 'guest' ? [] : side), ...filesOf(page)]
      const languages = ['en', 'zh'].map((locale) =>
        places(texts.flatMap((part) => filesOf(part.replace('/en/', `/${locale}/`)))),
      )
      return [path, [places(code), ...languages]]
    }),
  )
  return { files, pages }
}

/** The pages behind the login, and those before it, with their texts: as renderer/page-routes.tsx and renderer/i18n.ts say it. */
function routes(): { path: string; access: string; page: string; texts: string[] }[] {
  const [source = '', i18n = ''] = ['page-routes.tsx', 'i18n.ts'].map((file) =>
    readFileSync(join(import.meta.dirname, 'renderer', file), 'utf8'),
  )
  const parts = new Map(
    Array.from(i18n.matchAll(/(\w+): \(\) => import\('\.*([^']*\/en\/[^']+)'\)/g), ([, part = '', file = '']) => [
      part,
      file,
    ]),
  )
  const found = source.matchAll(
    /path: '([^']+)',\s*access: '(guest|user|admin)',\s*load: \(\) => import\('\.([^']+)'\)(?:,\s*texts: \[([^\]]*)\])?/g,
  )
  const all = Array.from(found, ([, path = '', access = '', page = '', own = '']) => {
    const named = ['first', 'pages', ...Array.from(own.matchAll(/'(\w+)'/g), ([, part = '']) => part)]
    return { path, access, page: `/renderer${page}`, texts: named.flatMap((part) => parts.get(part) ?? []) }
  })
  if (all.length === 0 || all.some(({ texts }) => texts.length < 2))
    throw new Error('renderer/page-routes.tsx or renderer/i18n.ts are written otherwise than vite.early.ts reads them')
  return all
}
