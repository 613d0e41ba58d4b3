import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Loads every file of a built program and runs work on each of its threads:
 * `node threads.ts <folder of the program> <folder for files>`. Prints their results, the measured length of a
 * recording in seconds, and the native code that the process has loaded.
 */
const [program = '', scratch = ''] = process.argv.slice(2)
const chunks = readdirSync(join(program, 'out/main/chunks'))
/** A module that starts a thread, by the name of its source. */
const starter = (name: string) => {
  const file = chunks.find((chunk) => chunk.startsWith(`${name}-thread-`)) ?? `${name}-thread is not built`
  return import(pathToFileURL(join(program, 'out/main/chunks', file)).href)
}

/** Modules loaded on first use: a package that was bundled in a wrong order fails when it is loaded. */
await Promise.all(
  chunks
    .filter((name) => !name.startsWith('headless-gateway-'))
    .map((name) => import(pathToFileURL(join(program, 'out/main/chunks', name)).href)),
)

/** A one-second recording at 8000 samples of 16 bits. */
function aSecond(): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF\0\0\0\0WAVEfmt ')
  for (const [at, value] of Object.entries({ 4: 16_036, 16: 16, 24: 8_000, 28: 16_000, 40: 16_000 }))
    head.writeUInt32LE(value, Number(at))
  for (const [at, value] of Object.entries({ 20: 1, 22: 1, 32: 2, 34: 16 })) head.writeUInt16LE(value, Number(at))
  head.write('data', 36)
  return Buffer.concat([head, Buffer.alloc(16_000)])
}

const { default: Database } = await import(
  pathToFileURL(join(program, 'node_modules/better-sqlite3/lib/index.js')).href
)
const file = join(scratch, 'some.db')
new Database(file).exec('create table users (id integer primary key, username text)').close()

const argon2 = (await starter('argon2')).createArgon2(1)
const stored = await argon2.hash('secret', { memoryCost: 1024, timeCost: 1, parallelism: 1 })
const reader = await (await starter('reader')).startReaderThread(file)
const foreign = (await starter('foreign')).startForeignThread(file)
const copying = await starter('copy')
const copy = join(scratch, 'copy.db')
writeFileSync(copy, '')
await copying.copyDatabase(file, copy)
const recordings = await (await starter('recording')).startRecordingThread(60_000)
const counting = (await starter('counting')).startCountingThread({})
// bcrypt of `secret` at its lowest cost.
const bcrypt = '$2b$04$zqtmiJmgJl1Wojptc./PVOoez7Cy4CEY3.T7uo7DPVrtcIIzs/toi'
const answers = {
  argon2: await argon2.verify(stored, 'secret'),
  bcrypt: await (await starter('bcrypt')).matchesBcrypt('secret', bcrypt),
  copy: await copying.checkDatabase(copy),
  reader: await reader.read({ sql: 'select 6 * 7 as answer', parameters: [] }),
  foreign: Object.keys(await foreign.tables(['users'])),
  yaml: await (await starter('yaml')).readYaml('a: [1, 2]'),
  o200k: (await counting.count({ encoding: 'o200k_base', texts: ['hello world'] })).tokens,
  seconds: await recordings.seconds([{ bytes: aSecond(), type: 'audio/wav' }]),
  cl100k: (await counting.count({ encoding: 'cl100k_base', texts: ['hello world'] })).tokens,
}
await Promise.all([reader.end(), foreign.end(), counting.end(), recordings.end()])
const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] } // as Node documents it
const code = sharedObjects.filter((path) => path.endsWith('.node'))
console.log(JSON.stringify({ answers, code }))
