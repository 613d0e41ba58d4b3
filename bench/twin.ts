import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { type BenchGateway, type Call, callerOf, launch } from './gateway.ts'
import { atExit, freePort, type Running, root } from './processes.ts'

export type AskedGateway = Readonly<{ url: string; call: Call }>

const DATABASE = 'switchyard.db'

/**
 * Starts a second gateway on a copy of the data of `gateway`. Requests to it load the machine as much as requests to
 * the first, without passing through the first; the difference between the two is caused by the first gateway itself.
 */
export async function startTwin(gateway: BenchGateway): Promise<Running & AskedGateway> {
  const data = mkdtempSync(join(tmpdir(), 'bench-twin-'))
  const removeData = atExit(() => rmSync(data, { recursive: true, force: true }))
  cpSync(gateway.data, data, {
    recursive: true,
    filter: (path) => !/^(switchyard\.db|control\.)|lock/.test(basename(path)),
  })
  const database = new Database(join(gateway.data, DATABASE), { readonly: true, fileMustExist: true })
  await database.backup(join(data, DATABASE))
  database.close()
  const url = `http://127.0.0.1:${await freePort()}`
  const running = await launch(root, data, url, 'free')
  return {
    ...running,
    url,
    call: callerOf(url, gateway.session).call,
    async stop() {
      await running.stop()
      removeData()
    },
  }
}
