import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Snippet, snippets } from '../../../renderer/pages/connect-client/snippets.ts'
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
  text({ address: world.url, key: `sk-${await alice.key()}`, model: 'gpt-4o' })

describe('the examples of "Connect a client" (docs/reference/design.md#first-five-minutes)', () => {
  it.each(snippets.filter(({ language }) => language === 'js'))('$name runs as it stands', async (snippet) => {
    // Beside this file, so that it finds the packages of the project.
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

  it.each(snippets.filter(({ language }) => language === 'sh'))('$name is a good shell script', async (snippet) => {
    await run('sh', ['-n', '-c', await textFor(snippet)])
  })
})
