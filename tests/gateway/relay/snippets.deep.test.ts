import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { withSettings } from '../../../gateway/connect/edit.ts'
import { ccSwitchLink, cherryStudioLink, switchedAgents } from '../../../renderer/pages/connect-client/import-links.ts'
import { fileOn, type Snippet, type System } from '../../../renderer/pages/connect-client/snippets/snippet.ts'
import { snippets } from '../../../renderer/pages/connect-client/snippets/snippets.ts'
import { connectClients } from '../../../shared/connect/clients.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const run = promisify(execFile)

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ models: 'gpt-4o' })
  alice = await world.user({ quota: 1_000_000 })
})

const textFor = async ({ text }: Snippet) =>
  text({ address: world.url, key: `sk-${await alice.key()}`, model: 'gpt-4o', system: 'unix' })
/** Settings with a model name that a shell would split. */
const odd = (system: System) => ({
  address: 'http://127.0.0.1:6411',
  key: 'sk-one',
  model: "org's/model (new)",
  system,
})
const shells = snippets.filter(({ language }) => language === 'shell')

describe('the examples of "Connect a client" (docs/reference/design.md#first-five-minutes)', () => {
  it.each(snippets.filter(({ language }) => language === 'js'))('$name runs as it stands', async (snippet) => {
    // In this folder, so that the snippet can import the project's packages.
    const file = new URL(`./snippet-${snippet.id}.tmp.mjs`, import.meta.url)
    onTestFinished(() => rm(file, { force: true }))
    await writeFile(file, await textFor(snippet))
    const { stdout } = await run(process.execPath, [file.pathname])
    expect(stdout).toBe('Hello there\n')
  })

  it.each(snippets.filter(({ id }) => id === 'curl'))('$name runs as it stands', async (snippet) => {
    const { stdout } = await run('sh', ['-c', await textFor(snippet)])
    expect(JSON.parse(stdout).choices[0].message.content).toBe('Hello there')
  })

  it.each(snippets.filter(({ language }) => language === 'python'))('$name is good Python', async (snippet) => {
    const check = 'import ast, sys; ast.parse(sys.stdin.read())'
    const checked = run('python3', ['-c', check])
    checked.child.stdin?.end(await textFor(snippet))
    await checked
  })

  it.each(shells)('$name is a good shell script', async (snippet) => {
    await run('sh', ['-n', '-c', await textFor(snippet)])
    await run('sh', ['-n', '-c', snippet.text(odd('unix'))])
  })

  it.each(shells)('$name has words for PowerShell, which does not know those of other shells', ({ text }) => {
    const words = text(odd('windows'))
    expect(words).not.toMatch(/^export |\\$|\bcurl\b/m)
    expect(words).not.toContain('"org\'s')
    for (const [, value] of words.matchAll(/^\$env:\w+ = (.*)$/gm)) expect(value).toMatch(/^'([^']|'')*'$/)
  })

  it.each(snippets.filter(({ language }) => language === 'json'))('$program: $name is good JSON', ({ text }) => {
    expect(JSON.parse(text(odd('unix')))).toBeTypeOf('object')
    expect(text(odd('windows'))).toBe(text(odd('unix')))
  })

  it.each(snippets.filter(({ language }) => language === 'yaml'))('$program: $name is good YAML', ({ text }) => {
    expect(parse(text(odd('unix')))).toBeTypeOf('object')
  })

  it('equal, as files, the settings written for the program on the computer of the desktop', () => {
    const read = { json: JSON.parse, yaml: (text: string): unknown => parse(text) }
    const agree = connectClients.flatMap(({ id, files = [] }) => files.map((file) => ({ id, file })))
    for (const { id, file } of agree) {
      if (file.format !== 'json' && file.format !== 'yaml') continue
      const name = file.names.at(-1) ?? ''
      const snippet = snippets.find((one) => one.name === name && one.id.startsWith(id.split('-')[0] ?? ''))
      const settings = [...(file.begins ?? []), ...file.settings(odd('unix'))]
      expect(read[file.format](snippet?.text(odd('unix')) ?? '')).toEqual(
        read[file.format](withSettings(file.format, '', settings).text),
      )
    }
  })

  it('name the file on either system', () => {
    const paths = snippets
      .filter(({ file }) => file)
      .map((snippet) => [fileOn('unix', snippet), fileOn('windows', snippet)])
    expect(paths).toEqual([
      ['~/.claude/settings.json', '%USERPROFILE%\\.claude\\settings.json'],
      ['~/.codex/config.toml', '%USERPROFILE%\\.codex\\config.toml'],
      ['~/.gemini/.env', '%USERPROFILE%\\.gemini\\.env'],
      ['~/.gemini/settings.json', '%USERPROFILE%\\.gemini\\settings.json'],
      ['~/.qwen/settings.json', '%USERPROFILE%\\.qwen\\settings.json'],
      ['~/.config/opencode/opencode.json', '%USERPROFILE%\\.config\\opencode\\opencode.json'],
      ['~/.config/crush/crush.json', '%USERPROFILE%\\.config\\crush\\crush.json'],
      [
        '~/.config/goose/custom_providers/custom_switchyard.json',
        '%APPDATA%\\Block\\goose\\config\\custom_providers\\custom_switchyard.json',
      ],
      ['~/.config/goose/config.yaml', '%APPDATA%\\Block\\goose\\config\\config.yaml'],
      ['~/.continue/config.yaml', '%USERPROFILE%\\.continue\\config.yaml'],
      ['~/.aider.conf.yml', '%USERPROFILE%\\.aider.conf.yml'],
      ['~/.config/zed/settings.json', '%APPDATA%\\Zed\\settings.json'],
    ])
  })
})

describe('import links', () => {
  it('contain everything CC Switch must know', () => {
    const links = switchedAgents.map((agent) => new URL(ccSwitchLink(odd('unix'), agent)))
    expect(links.map(({ host, pathname }) => host + pathname)).toEqual(Array(3).fill('v1/import'))
    expect(links.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual(
      [
        ['claude', ''],
        ['codex', '/v1'],
        ['gemini', ''],
      ].map(([app, ending]) => ({
        resource: 'provider',
        app,
        name: 'Switchyard',
        homepage: 'http://127.0.0.1:6411',
        endpoint: `http://127.0.0.1:6411${ending}`,
        apiKey: 'sk-one',
        model: "org's/model (new)",
      })),
    )
  })

  it.each(['http://127.0.0.1:6411', 'https://gateway.example/~?>路'])(
    'give Cherry Studio %s in unambiguous characters',
    (address) => {
      const link = cherryStudioLink({ ...odd('unix'), address })
      const [, data = ''] = /^cherrystudio:\/\/providers\/api-keys\?v=1&data=([0-9A-Za-z]+)$/.exec(link) ?? []
      expect(JSON.parse(atob(data))).toEqual({
        id: 'switchyard',
        name: 'Switchyard',
        type: 'openai',
        baseUrl: address,
        apiKey: 'sk-one',
      })
    },
  )
})
