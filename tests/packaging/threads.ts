import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Starts each thread of a built program with work to do: `node threads.ts <folder of the program> <folder for files>`. Prints
 * what they answered, and which machine code the process has loaded for it.
 */
const [program = '', scratch = ''] = process.argv.slice(2)
const chunks = readdirSync(join(program, 'out/main/chunks'))
/** A module that starts a thread, by the name of its source. */
const starter = (name: string) => {
  const file = chunks.find((chunk) => chunk.startsWith(`${name}-thread-`)) ?? `${name}-thread is not built`
  return import(pathToFileURL(join(program, 'out/main/chunks', file)).href)
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
const counting = (await starter('counting')).startCountingThread({})
// bcrypt of `secret` at its lowest cost.
const bcrypt = '$2b$04$zqtmiJmgJl1Wojptc./PVOoez7Cy4CEY3.T7uo7DPVrtcIIzs/toi'
const answers = {
  argon2: await argon2.verify(stored, 'secret'),
  bcrypt: await (await starter('bcrypt')).matchesBcrypt('secret', bcrypt),
  reader: await reader.read({ sql: 'select 6 * 7 as answer', parameters: [] }),
  foreign: Object.keys(await foreign.tables(['users'])),
  yaml: await (await starter('yaml')).readYaml('a: [1, 2]'),
  o200k: (await counting.count({ encoding: 'o200k_base', texts: ['hello world'] })).tokens,
  cl100k: (await counting.count({ encoding: 'cl100k_base', texts: ['hello world'] })).tokens,
}
await Promise.all([reader.end(), foreign.end(), counting.end()])
const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] } // as Node documents it
const code = sharedObjects.filter((path) => path.endsWith('.node'))
console.log(JSON.stringify({ answers, code }))
