import { setTimeout as pause } from 'node:timers/promises'
import type { ImportState } from '../../../shared/api/import.ts'
import { dataOf, type Reply } from '../../support/client.ts'
import type { World } from '../../support/world.ts'

/** The import calls, made as an administrator. */
export function importing(world: World) {
  const state = async (): Promise<ImportState> => dataOf(await world.admin.get('/api/import'))
  const over = async (): Promise<ImportState> => {
    let now = await state()
    // Polls in a loop, which works in `beforeAll` too; expect.poll does not.
    while (['checking', 'writing', 'history'].includes(now.stage)) {
      await pause(20)
      now = await state()
    }
    return now
  }
  const upload = async (bytes: Uint8Array, name = 'one-api.db'): Promise<Reply> => {
    const response = await fetch(`${world.url}/api/import/file?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { 'accept-language': 'en', ...world.admin.identity(), 'content-type': 'application/octet-stream' },
      body: bytes as BodyInit,
    })
    const body = await response.json()
    return { status: response.status, headers: response.headers, body, ...body }
  }
  const checked = async (bytes: Uint8Array, choices: object = {}): Promise<ImportState> => {
    dataOf(await upload(bytes))
    dataOf(await world.admin.post('/api/import/check', choices))
    return over()
  }
  const imported = async (bytes: Uint8Array, choices: object = {}): Promise<ImportState> => {
    const { report, error } = await checked(bytes, choices)
    if (!report) throw new Error(`no report: ${error}`)
    dataOf(await world.admin.post('/api/import/confirm', { report: report.id }))
    return over()
  }
  return { state, over, upload, checked, imported }
}

/** Counts of a report or a result, as `comes/known/deleted/left out` by table. */
export const countsIn = (
  tables: readonly { table: string; comes: number; known: number; deleted: number; left_out: number }[],
) =>
  Object.fromEntries(
    tables.map(({ table, comes, known, deleted, left_out }) => [table, [comes, known, deleted, left_out].join('/')]),
  )
