import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Who may import whom (docs/house.md). A file belongs to the zone with the longest matching path, and a zone may always
 * import itself. `type x` allows `import type` only. Every file must belong to a zone.
 */
const mayImport: Record<string, readonly string[]> = {
  shared: [],
  'gateway/base': ['shared'],
  'gateway/store': ['gateway/base', 'shared'],
  'gateway/shared-state': ['gateway/base'],
  'gateway/shared-state/postgres': ['gateway/shared-state', 'gateway/store', 'gateway/base'],
  'gateway/settings': ['gateway/store', 'gateway/base', 'shared'],
  'gateway/jobs': ['gateway/shared-state', 'gateway/store', 'gateway/base', 'shared'],
  'gateway/audit': ['gateway/base', 'gateway/store', 'shared'],
  'gateway/mail': ['gateway/settings', 'gateway/base', 'shared'],
  'gateway/notify': ['gateway/mail', 'gateway/settings', 'gateway/audit', 'gateway/store', 'gateway/base', 'shared'],
  'gateway/limits': ['gateway/shared-state', 'gateway/settings', 'gateway/store', 'gateway/base', 'shared'],
  'gateway/billing': [
    'gateway/shared-state',
    'gateway/notify',
    'gateway/settings',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'shared',
  ],
  'gateway/accounts': [
    'gateway/shared-state',
    'gateway/billing',
    'gateway/mail',
    'gateway/notify',
    'gateway/settings',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'shared',
  ],
  'gateway/wallet': [
    'gateway/shared-state',
    'gateway/accounts',
    'gateway/billing',
    'gateway/settings',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'shared',
  ],
  'gateway/channels': [
    'type gateway/relay',
    'type gateway/notify',
    'gateway/shared-state',
    'gateway/settings',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'shared',
  ],
  'gateway/relay/capabilities': ['gateway/base', 'shared'],
  'gateway/relay/formats': ['gateway/relay/capabilities', 'gateway/billing/usage.ts', 'gateway/base', 'shared'],
  'gateway/relay/providers': [
    'gateway/relay/capabilities',
    'gateway/relay/formats',
    'type gateway/relay',
    'type gateway/channels',
    'gateway/billing/usage.ts',
    'gateway/base',
    'shared',
  ],
  'gateway/relay': [
    'gateway/relay/capabilities',
    'gateway/relay/formats',
    'gateway/relay/providers',
    'gateway/billing',
    'gateway/channels',
    'gateway/limits',
    'gateway/accounts',
    'gateway/shared-state',
    'gateway/settings',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'type gateway/config.ts',
    'shared',
  ],
  'gateway/import': [
    'gateway/channels',
    'gateway/accounts',
    'gateway/billing',
    'gateway/settings',
    'gateway/store',
    'gateway/base',
    'shared',
  ],
  'gateway/backup': ['gateway/billing', 'gateway/store', 'gateway/base', 'type gateway/config.ts', 'shared'],
  'gateway/move': ['gateway/billing', 'gateway/store', 'gateway/base', 'shared'],
  'gateway/connect': ['gateway/config.ts', 'gateway/store/sqlite/database.ts', 'gateway/base', 'shared'],
  'gateway/share': [
    'gateway/accounts',
    'gateway/limits',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'type gateway/billing',
    'shared',
  ],
  'gateway/api': [
    'gateway/backup',
    'gateway/share',
    'gateway/import',
    'gateway/jobs',
    'gateway/relay',
    'gateway/wallet',
    'gateway/accounts',
    'gateway/billing',
    'gateway/channels',
    'gateway/limits',
    'gateway/mail',
    'gateway/notify',
    'gateway/settings',
    'gateway/audit',
    'gateway/store',
    'gateway/base',
    'type gateway/config.ts',
    'type gateway/secrets.ts',
    'shared',
  ],
  'gateway/config.ts': ['gateway/store', 'gateway/base', 'shared'],
  'gateway/secrets.ts': ['gateway/store', 'gateway/base', 'type gateway/config.ts', 'shared'],
  'gateway/composition/listen.ts': ['gateway/limits', 'gateway/store', 'gateway/base'],
  'gateway/installation.ts': [],
  'gateway/composition': ['gateway', 'shared'],
  'gateway/control': ['gateway/base', 'shared'],
  'gateway/command-line': [
    'gateway/composition/create-gateway.ts',
    'gateway/composition/postgres.ts',
    'gateway/composition/redis.ts',
    'gateway/composition/storage.ts',
    'gateway/accounts/recovery/account-recovery.ts',
    'gateway/connect',
    'gateway/backup',
    'gateway/control',
    'gateway/import',
    'gateway/move',
    'gateway/composition/listen.ts',
    'gateway/installation.ts',
    'gateway/config.ts',
    'gateway/settings',
    'gateway/store',
    'gateway/base',
    'type gateway/secrets.ts',
    'shared',
  ],
  'gateway/headless-gateway.ts': ['gateway', 'shared'],
  main: [
    'gateway/composition/create-gateway.ts',
    'gateway/base',
    'gateway/backup',
    'gateway/config.ts',
    'gateway/connect',
    'gateway/headless-gateway.ts',
    'gateway/notify/notice.ts',
    'gateway/secrets.ts',
    'gateway/store/sqlite/backup-files.ts',
    'gateway/store/sqlite/database.ts',
    'type gateway',
    'shared',
  ],
  renderer: ['shared'],
}

/**
 * Folders in an order: each imports only those before it. `type` edges are listed where a later one provides types for
 * an earlier one.
 */
const ordered: Record<string, readonly string[]> = {
  'gateway/relay': [
    'capabilities',
    'formats',
    'model',
    'providers',
    'tokenizer',
    'intake',
    'admission',
    'metering',
    'response-cache',
    'kept-bodies',
    'transforms',
    'stored',
    'media',
    'adaptation',
    'upstream',
    'routing',
    'probing',
    'content-filter',
    'delivery',
    'relayed-request.ts',
    'failure.ts',
    'auxiliary',
    'tasks',
    'websockets',
    'replays',
  ],
  'gateway/channels': ['registry', 'health', 'admin', 'local', 'testing'],
}
/** Files next to the folders that they assemble; folders import only types from these. */
const composing = ['relay.ts', 'create.ts', 'routes.ts', 'channels.ts']

/** Maximum lines of a code file; tables of data may be longer. */
const longestFile = 400
const dataTables = [
  'shared/messages/',
  'renderer/messages/',
  'shared/channel-types.ts',
  'gateway/settings/pricing-defaults/',
  'gateway/channels/registry/default-models.ts',
]

/** Names that describe the kind of a file, not its content. */
const bannedNames = ['utils', 'util', 'helpers', 'helper', 'types', 'manager', 'service', 'misc', 'common']

const root = join(import.meta.dirname, '..')
const sources = ['shared', 'gateway', 'main', 'renderer'].flatMap((folder) => filesIn(folder))
const code = sources.filter((path) => /\.tsx?$/.test(path))
const texts = new Map<string, string>()
const within = (...places: string[]) => code.filter((path) => places.some((place) => liesIn(path, place)))

describe('the house', () => {
  it('has a zone for every file, and each imports only what the table allows', () => {
    const homeless = code.filter((path) => zoneOf(path) === undefined)
    const strangers = code.flatMap((path) =>
      importsOf(path)
        .filter((target) => !isAllowed(path, target))
        .map(told(path)),
    )
    expect([...homeless, ...strangers], 'change the table above only together with docs/house.md').toEqual([])
  })

  it('lets a request walk one way: a stage imports only the stages before it', () => {
    const backwards = Object.entries(ordered).flatMap(([place, stages]) =>
      within(place).flatMap((path) =>
        importsOf(path)
          .filter((found) => !isForward(place, stages, path, found))
          .map(told(path)),
      ),
    )
    expect(backwards).toEqual([])
  })

  it('gives one name to one thing: a type exported by gateway and shared is declared once', () => {
    const declared = within('gateway', 'shared').flatMap((path) =>
      [...textOf(path).matchAll(/^export (?:type|interface|class) (\w+)/gm)].map(([, name = '']) => ({ name, path })),
    )
    const several = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1)
    expect(several.map(([name, places]) => [name, ...places.map(({ path }) => path)])).toEqual([])
  })

  it('keeps pages apart: code that two pages need belongs in renderer/components', () => {
    const strangers = within('renderer').flatMap((path) =>
      importsOf(path)
        .filter(({ target }) => pageOf(target) !== undefined && pageOf(path) !== pageOf(target))
        .filter(() => pageOf(path) !== undefined || liesIn(path, 'renderer/components'))
        .map(told(path)),
    )
    expect(strangers).toEqual([])
  })

  it('has no import cycles, of types included', () => {
    expect(cycles()).toEqual([])
  })

  it(`has no file of more than ${longestFile} lines, tables of data aside`, () => {
    const long = sources
      .filter((path) => /\.(tsx?|css)$/.test(path) && !dataTables.some((table) => path.startsWith(table)))
      .map((path) => ({ path, lines: textOf(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > longestFile)
    expect(long).toEqual([])
  })

  it('names files after their content', () => {
    const vague = sources.filter((path) => bannedNames.includes(path.replace(/^.*\//, '').replace(/\..*$/, '')))
    expect(vague).toEqual([])
  })

  it('names parts that only SQLite has in its store, its ledger and where they are opened', () => {
    const openers = ['gateway/composition/storage.ts', 'gateway/move/sqlite-side.ts', 'gateway/command-line', 'main']
    const files = within('gateway', 'main').filter(
      (path) => ![...openers, 'gateway/store', 'gateway/billing'].some((place) => liesIn(path, place)),
    )
    const names = /\b(Sqlite|OpenDatabase|openDatabase|exclusively|unsynced|prepared|better-sqlite3)\b/
    expect(linesWith(names, files)).toEqual([])
  })

  /** The files that load a driver or the parts around it, and how; those parts excluded. */
  const loadersOf = (driver: string, parts: readonly string[]) => {
    const isPart = (path: string) => parts.some((place) => liesIn(path, place))
    const files = within('shared', 'gateway', 'main', 'renderer').filter((path) => !isPart(path))
    return files.flatMap((path) =>
      importsOf(path)
        .filter(({ target }) => target === driver || isPart(target))
        .map(({ kind }) => `${path}: ${kind}`),
    )
  }

  it('loads PostgreSQL’s driver only where a database has its URL, and in a file that desktop packages leave out', () => {
    const folders = ['store', 'billing', 'shared-state', 'move'].map((name) => `gateway/${name}/postgres`)
    expect(loadersOf('pg', [...folders, 'gateway/composition/postgres.ts'])).toEqual([
      'gateway/command-line/health-check.ts: dynamic',
      'gateway/command-line/move.ts: dynamic',
      'gateway/command-line/node.ts: dynamic',
      'gateway/composition/storage.ts: dynamic',
    ])
    expect(textOf('electron-builder.yml')).toContain("'!out/main/chunks/postgres-*'")
  })

  it('loads Redis’s driver only where its URL is set, and in a file that desktop packages leave out', () => {
    expect(loadersOf('@redis/client', ['gateway/shared-state/redis', 'gateway/composition/redis.ts'])).toEqual([
      'gateway/command-line/health-check.ts: dynamic',
      'gateway/composition/storage.ts: dynamic',
    ])
    expect(textOf('electron-builder.yml')).toContain("'!out/main/chunks/redis-*'")
  })

  it('reads the time only in gateway/base/clock.ts', () => {
    const files = within('gateway').filter((path) => path !== 'gateway/base/clock.ts')
    expect(linesWith(/\bDate\.now\b|\bnew Date\(\)/, files)).toEqual([])
  })

  it('never uses Math.random', () => {
    expect(linesWith(/\bMath\.random\b/, within('shared', 'gateway', 'main'))).toEqual([])
  })

  it('sets raw HTML only where DOMPurify has cleaned it', () => {
    const files = within('renderer').filter((path) => !importsOf(path).some(({ target }) => target === 'dompurify'))
    expect(linesWith(/dangerouslySetInnerHTML/, files)).toEqual([])
  })
})

describe('exports', () => {
  it('are used by a file that imports them', () => {
    const users = [...sources, ...['tests', 'bench', 'scripts'].flatMap((folder) => filesIn(folder))]
    const wordsOf = new Map(users.map((path) => [path, new Set(textOf(path).match(/\w+/g))]))
    const importers = Map.groupBy(
      users.flatMap((path) => importsOf(path).map(({ target }) => ({ target, path }))),
      ({ target }) => target,
    )
    const unused = code.flatMap((path) =>
      [...textOf(path).matchAll(/^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !importers.get(path)?.some((importer) => wordsOf.get(importer.path)?.has(name)))
        .map((name) => `${path}: ${name}`),
    )
    expect(unused).toEqual([])
  })
})

describe('comments', () => {
  it('describe their subject themselves', () => {
    const leaning = code
      .filter((path) => !path.startsWith('tests/'))
      .flatMap((path) =>
        [...textOf(path).matchAll(/(?:\/\*\*|\/\/)\s*(?:\n\s*\*\s*)?(The same\b.*)/g)].map(
          ([, text]) => `${path}: ${text}`,
        ),
      )
    expect(leaning, 'a reader who has not seen the other cannot know').toEqual([])
  })
})

describe('the import reader of these tests', () => {
  it('sees multi-line, type, re-exported, bare and dynamic imports, and nothing in comments', () => {
    const text = [
      "import one, { two } from './one.ts'",
      "import type { Three } from './three.ts'",
      "import {\n  type Four,\n  four,\n} from './four.ts'",
      "import * as five from 'five'",
      "import './six.css'",
      "export { seven } from './seven.ts'",
      "export type { Eight } from './eight.ts'",
      "export * from './nine.ts'",
      "const ten = () => import('./ten.ts')",
      " * import { no } from './no.ts'",
      "// import { no } from './no.ts'",
    ].join('\n')
    const read = readImports(text).map(({ specifier, kind }) => `${kind} ${specifier}`)
    expect(read.sort()).toEqual([
      'dynamic ./ten.ts',
      'type ./eight.ts',
      'type ./three.ts',
      'value ./four.ts',
      'value ./nine.ts',
      'value ./one.ts',
      'value ./seven.ts',
      'value ./six.css',
      'value five',
    ])
  })
})

type Kind = 'value' | 'type' | 'dynamic'
/** `target` is a path from the project's folder, or the package's name when `specifier` is not relative. */
type Import = { target: string; specifier: string; kind: Kind }

function isAllowed(path: string, { target, specifier, kind }: Import): boolean {
  const zone = zoneOf(path)
  if (zone === undefined) return false
  if (!specifier.startsWith('.')) return true
  if (zoneOf(target) === zone) return true
  return (mayImport[zone] ?? []).some((entry) => {
    const place = entry.replace(/^type /, '')
    const fits = place === target || place === zoneOf(target) || (place === 'gateway' && liesIn(target, place))
    return fits && (place === entry || kind === 'type')
  })
}

/** Whether an import within `place` leads to the same folder, to an earlier one, or to types of an assembling file. */
function isForward(place: string, stages: readonly string[], path: string, { target, kind }: Import): boolean {
  if (!liesIn(target, place)) return true
  const [from, to] = [path, target].map((file) => file.slice(place.length + 1).split('/')[0] ?? '')
  if (from === undefined || to === undefined || composing.includes(from)) return true
  if (composing.includes(to)) return kind === 'type' && ['auxiliary', 'websockets'].includes(from)
  return stages.includes(from) && stages.includes(to) && stages.indexOf(to) <= stages.indexOf(from)
}

function zoneOf(path: string): string | undefined {
  const zones = Object.keys(mayImport).filter((zone) => liesIn(path, zone))
  return zones.sort((one, other) => other.length - one.length)[0]
}

function pageOf(path: string): string | undefined {
  return /^renderer\/pages\/([^/]+)/.exec(path)?.[1]
}

const told =
  (path: string) =>
  ({ specifier, kind }: Import) =>
    `${path} imports ${kind === 'type' ? 'types of ' : ''}${specifier}`

/** Every cycle of value imports, tests and benches included, listed once as the paths around it. */
function cycles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const files = new Set([...code, ...['tests', 'bench'].flatMap(filesIn).filter((path) => /\.tsx?$/.test(path))])
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) return void found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (done.has(path)) return
    for (const { target, kind } of importsOf(path)) {
      if (kind !== 'dynamic' && files.has(target)) visit(target, [...trail, path])
    }
    done.add(path)
  }
  for (const path of files) visit(path, [])
  return found
}

function importsOf(path: string): Import[] {
  return readImports(textOf(path)).map(({ specifier, kind }) => {
    const target = specifier.startsWith('.') ? fileAt(join(dirname(path), specifier)) : specifier
    return { target, specifier, kind }
  })
}

function readImports(text: string): { specifier: string; kind: Kind }[] {
  const names = String.raw`(?:\*(?:\s+as\s+\w+)?|\{[^}]*\}|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+\w+))?)`
  const statement = new RegExp(
    String.raw`^[ \t]*(?:import|export)\s+(type\s+(?!from\b))?${names}\s*from\s*['"]([^'"]+)['"]`,
    'gm',
  )
  const bare = /^[ \t]*import\s*['"]([^'"]+)['"]/gm
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]/g
  return [
    ...[...text.matchAll(statement)].map(([, type, specifier]) => read(specifier, type ? 'type' : 'value')),
    ...[...text.matchAll(bare)].map(([, specifier]) => read(specifier, 'value')),
    ...[...text.matchAll(dynamic)].map(([, specifier]) => read(specifier, 'dynamic')),
  ]
}

function read(specifier: string | undefined, kind: Kind) {
  return { specifier: specifier ?? '', kind }
}

/** The source file of a path: as written, or with the extension that the console's bundler would add. */
function fileAt(path: string): string {
  const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
  return endings.map((ending) => path + ending).find((candidate) => sources.includes(candidate)) ?? path
}

/** Matches of a pattern in code outside comments, as `path:line text`. */
function linesWith(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((path) =>
    textOf(path)
      .split('\n')
      .map((line, index) => ({ line: line.trim(), place: `${path}:${index + 1}` }))
      .filter(({ line }) => !/^(?:\*|\/[/*])/.test(line) && pattern.test(line))
      .map(({ line, place }) => `${place} ${line}`),
  )
}

function liesIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8')
  texts.set(path, text)
  return text
}

function filesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}
