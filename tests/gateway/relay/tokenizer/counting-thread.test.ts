import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const tokens = join(import.meta.dirname, '../../../../gateway/relay/tokenizer')

/** A program that counts once and must then exit by itself, since nothing is left to do. */
const program = `
import { createTokenCounter } from ${JSON.stringify(join(tokens, 'counter.ts'))}
const say = () => {}
const log = { debug: say, info: say, warn: console.error, error: console.error }
const counter = createTokenCounter({ clock: { now: () => 0, monotonic: () => 0 }, log, limits: { patienceMs: 600_000 } })
const untilCounted = setInterval(() => {}, 1000)
console.log(JSON.stringify(await counter.count(1, 'gpt-4o', ['hello world'])))
clearInterval(untilCounted)
`

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('runs from source, and does not prevent the process from ending', async () => {
  const file = join(await aFolder(), 'program.ts')
  await writeFile(file, program)
  const { stdout } = await run(process.execPath, [file])
  expect(JSON.parse(stdout)).toEqual({ tokens: 2, source: 'counted' })
})

it('runs from a built bundle, as a chunk that needs nothing of the gateway', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'program.ts'), program)
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: 'out',
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: join(folder, 'program.ts'),
        output: { format: 'es', entryFileNames: 'program.mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  const thread = await readFile(join(folder, 'out/counting-thread.mjs'), 'utf8')
  const needed = [...thread.matchAll(/^import .*"\.\/(.*)"/gm)].map(([, file]) => file)
  expect(needed).toEqual([])
  expect(await readdir(join(folder, 'out'))).toContain('program.mjs')
  const { stdout } = await run(process.execPath, [join(folder, 'out/program.mjs')])
  expect(JSON.parse(stdout)).toEqual({ tokens: 2, source: 'counted' })
})
