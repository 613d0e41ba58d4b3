import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const routes = readFileSync(join(root, 'renderer/page-routes.tsx'), 'utf8')
const i18n = readFileSync(join(root, 'renderer/i18n.ts'), 'utf8')

/** The part of the texts that contains each key, as renderer/i18n.ts loads them in English. */
const partOf = await partsByKey()

describe('each page has loaded its texts (docs/decisions/2026-11-28-a-first-view-by-standard-means.md)', () => {
  const pages = Array.from(
    routes.matchAll(/import\('\.\/(pages\/(?!components|not-found)[^']+)'\)(?:,\n {4}texts: \[([^\]]*)\])?/g),
    ([, file = '', texts = '']) => ({ file, texts: quoted(texts) }),
  )

  test.each(pages)('$file', ({ file, texts }) => {
    expect(missing(file, new Set(['first', 'pages', ...texts]))).toEqual([])
  })

  test('the frame, and home in it', () => {
    expect(missing('main.tsx', new Set(['first', 'pages', 'home']))).toEqual([])
  })
})

/** Keys used in a renderer file and its imports, but in no part of the texts that is loaded for or by it. */
function missing(entry: string, loaded: ReadonlySet<string>): string[] {
  const codes = reached(join(root, 'renderer', entry)).map((file) => readFileSync(file, 'utf8'))
  const later = codes.flatMap((code) =>
    Array.from(code.matchAll(/loadTexts\(\[([^\]]+)\]\)/g), ([call]) => quoted(call)),
  )
  const known = new Set([...loaded, ...later.flat()])
  return [...new Set(codes.flatMap(keysIn))].filter((key) => !known.has(partOf.get(key) ?? ''))
}

/** A console file with its imports, static and dynamic, except the pages behind the router. */
function reached(entry: string): string[] {
  const seen = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const code = readFileSync(file, 'utf8').replaceAll(/^import type .*$|load: .*$/gm, '')
    for (const [, path = ''] of code.matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)) {
      const found = resolve(file, '..', path)
      if (found.startsWith(join(root, 'renderer')) && !found.includes('/messages/')) open.push(found)
    }
  }
  return [...seen]
}

/** Literal keys, all keys that match the start of a template, and the names of options. */
const keysIn = (code: string): string[] => [
  ...quoted(code).filter((text) => partOf.has(text)),
  ...Array.from(code.matchAll(/`([a-z]\w*\.[\w./-]*)\$\{/g), ([, start = '']) => start).flatMap(keysFrom),
  ...(/\blabelOf\b.*shared\/options\//.test(code) ? keysFrom('option.label.') : []),
]

const keysFrom = (start: string): string[] => Array.from(partOf.keys()).filter((key) => key.startsWith(start))

const quoted = (code: string): string[] => Array.from(code.matchAll(/'([^'\n]*)'/g), ([, text = '']) => text)

async function partsByKey(): Promise<ReadonlyMap<string, string>> {
  const files = i18n.matchAll(/(\w+): \(\) => import\('(\.[^']*\/en\/[^']+)'\)/g)
  const parts = Array.from(files, async ([, part = '', path = '']) => {
    const file: Readonly<Record<string, object>> = await import(join(root, 'renderer', path))
    return Object.values(file).flatMap((texts) => Object.keys(texts).map((key) => [key, part] as const))
  })
  return new Map((await Promise.all(parts)).flat())
}
