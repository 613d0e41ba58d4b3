import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseJson } from 'jsonc-parser'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { withoutChanges, withSettings } from '../../../gateway/connect/edit.ts'
import { connectClients } from '../../../shared/connect/clients.ts'
import { aHome, program, target } from './a-home.ts'

const goldens = join(import.meta.dirname, 'goldens')
const files = connectClients.flatMap(({ id, files = [] }) =>
  files.map((file) => ({ id, file, name: file.names.at(-1) ?? '' })),
)
const golden = (...names: string[]) => readFileSync(join(goldens, ...names), 'utf8')

describe('the changes to the file of a program (docs/reference/connect.md#block)', () => {
  it.each(files)('$id: a new $name', ({ id, file, name }) => {
    const settings = [...(file.begins ?? []), ...file.settings(target)]
    expect(withSettings(file.format, '', settings).text).toBe(golden(id, `${name}.new`))
  })

  it.each(files)(
    '$id: an existing $name preserves all of its content, and is restored when undone',
    ({ id, file, name }) => {
      const before = golden(id, `${name}.before`)
      const { text, changes } = withSettings(file.format, before, file.settings(target))
      expect(text).toBe(golden(id, `${name}.after`))
      expect(withSettings(file.format, text, file.settings(target))).toEqual({ text, changes: [] })
      // Undone without the copy, because other lines have changed: the result is exact except for the lines of an empty
      // object and a final newline.
      const back = withoutChanges(file.format, text, changes)
      expect([back.text.replace(/\{\s+\}/, '{}').trimEnd(), back.kept]).toEqual([before.trimEnd(), 0])
    },
  )

  it.each(files)('$id: other parsers of its format read $name as we do', ({ id, file, name }) => {
    const readers = {
      json: parseJson,
      yaml: parseYaml,
      toml: (text: string) => getStaticTOMLValue(parseTOML(text)),
      env: (text: string) =>
        Object.fromEntries(
          [...text.matchAll(/^(?:export )?(\w+)="?(.*?)"?(?: #.*)?$/gm)].map(([, key, value]) => [key, value]),
        ),
    }
    const read = readers[file.format](golden(id, `${name}.after`))
    for (const { path, value } of file.settings(target)) {
      const found = path.reduce<unknown>((inner, step) => {
        if (typeof step === 'string') return (inner as Record<string, unknown>)[step]
        return (inner as Record<string, unknown>[]).find((entry) => entry[step.where] === step.is)
      }, read)
      expect(found).toEqual(value)
    }
  })

  it('has goldens for every file, and for no other', () => {
    const wanted = files.flatMap(({ id, name }) =>
      ['new', 'before', 'after'].map((state) => join(id, `${name}.${state}`)),
    )
    const there = readdirSync(goldens, { recursive: true })
      .map(String)
      .filter((path) => statSync(join(goldens, path)).isFile())
    expect(there.sort()).toEqual(wanted.sort())
  })

  it('reports each change with the lines around it, and marks omitted lines', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `# line ${at}`)
    const home = aHome({ '.codex/config.toml': `model = "x"\n${lines.join('\n')}\n[a]\nb = 1\n` })
    const [file] = home.connector.plan(program('codex'), target).files
    const told = file?.lines.map(({ text }) => text) ?? []
    expect(told.slice(0, 8)).toEqual([
      'model = "x"',
      'model = "gpt-4o"',
      'model_provider = "switchyard"',
      ...lines.slice(0, 3),
      '⋯',
      '# line 19',
    ])
  })

  it('reports changes without the key and all other secrets', () => {
    const home = aHome({
      '.claude/settings.json':
        '{\n  "env": {\n    "GITHUB_TOKEN": "ghp_other12345",\n    "M": { "url": "x", "apiKey": "of another" },\n    "A": "b"\n  }\n}\n',
    })
    const [file] = home.connector.plan(program('claude-code'), target).files
    expect(file).toMatchObject({ path: home.at('.claude/settings.json'), isNew: false })
    expect(file?.lines.map(({ kind, text }) => `${{ kept: ' ', taken: '-', added: '+' }[kind]}${text}`)).toEqual([
      '   "env": {',
      '     "GITHUB_TOKEN": "••••",',
      '     "M": { "url": "x", "apiKey": "••••" },',
      '-    "A": "b"',
      '+    "A": "b",',
      '+    "ANTHROPIC_BASE_URL": "http://127.0.0.1:6411",',
      '+    "ANTHROPIC_AUTH_TOKEN": "••••",',
      '+    "ANTHROPIC_MODEL": "gpt-4o",',
      '+    "ANTHROPIC_DEFAULT_HAIKU_MODEL": "gpt-4o"',
      '   }',
      ' }',
    ])
  })
})
