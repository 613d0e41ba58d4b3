import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = ['gateway', 'shared', 'renderer', 'main', 'tests', 'bench', 'scripts', 'docs']
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'vitest.config.ts',
  'playwright.config.ts',
]
const self = 'tests/citations.test.ts'

const files = [...folders.flatMap(filesIn), ...pages]
  .filter((path) => /\.(ts|tsx|mjs|css|md)$/.test(path) && path !== self)
  .filter((path) => existsSync(join(root, path)))
const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
const anchorsByPage = new Map<string, ReadonlySet<string>>()

describe('the manual', () => {
  it('has every page and heading that code, tests and documents cite', () => {
    const broken = linesWith(/docs\/[\w./-]+\.md#[\w-]+/g, (path, cited) => {
      const [page = '', anchor = ''] = cited.split('#')
      return anchorsOf(page).has(anchor) ? [] : [`${path}: ${cited}`]
    })
    expect(broken).toEqual([])
  })

  it('has every page and heading that its own links lead to', () => {
    const broken = [...texts]
      .filter(([path]) => path.endsWith('.md'))
      .flatMap(([path, text]) => brokenLinks(path, text))
    expect(broken).toEqual([])
  })

  it('is all there is to cite: no text outside the repository is named', () => {
    const outside =
      /(?:spec|design)\/[\w-]+\.(?:md|json)|(?:relay|console|reliability-security|product|stack|growth)\.md §|performance\.md §|\bspecification \d|spec\/data/gi
    const left = linesWith(outside, (path, cited) => [`${path}: ${cited}`])
    expect(left).toEqual([])
  })

  it('builds anchors of headings as GitHub does', () => {
    const text =
      '# One\n## What `it` is, really: 2 × 3\n## One\n```\n# no heading\n```\n### Streams for Anthropic’s clients'
    expect([...anchorsIn(text)]).toEqual(['one', 'what-it-is-really-2--3', 'one-1', 'streams-for-anthropics-clients'])
  })
})

/** Collects the results of `told` for each match of a pattern in any file. */
const linesWith = (pattern: RegExp, told: (path: string, match: string) => string[]): string[] =>
  [...texts].flatMap(([path, text]) => [...text.matchAll(pattern)].flatMap(([match]) => told(path, match)))

function brokenLinks(path: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return links
    .filter((target) => !/^[a-z]+:/i.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#')
      const page = file === '' ? path : relative(root, join(root, dirname(path), file)).replaceAll('\\', '/')
      if (!existsSync(join(root, page))) return true
      return anchor !== undefined && !anchorsOf(page).has(anchor)
    })
    .map((target) => `${path}: ${target}`)
}

function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchorsByPage.get(page)
  if (known) return known
  const file = join(root, page)
  const found = anchorsIn(existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : '')
  anchorsByPage.set(page, found)
  return found
}

/**
 * The anchors of a page: its headings in lower case, punctuation removed, spaces as dashes, numbered if they repeat.
 */
function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort()
}
