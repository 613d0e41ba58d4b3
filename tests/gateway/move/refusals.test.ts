import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { openStorage } from '../../../gateway/composition/storage.ts'
import { readConfig } from '../../../gateway/config.ts'
import { aClock } from '../../support/clock.ts'
import type { World } from '../../support/world.ts'
import { aFilledWorld, aNewFolder, anEmptyDatabase, KEY, moving, sumsOf, withDatabase, withFolder } from './moving.ts'

const SWITCHYARD_MASTER_KEY = KEY.toString('base64')
let world: World
const starting = async (environment: Readonly<Record<string, string>>) => {
  const storage = await openStorage(readConfig({ SWITCHYARD_MASTER_KEY, ...environment }, []), aClock(), silentLogger)
  await storage.store.close()
}

beforeAll(async () => {
  world = await aFilledWorld()
})

describe('a move is refused', () => {
  it('with another data key, or none', async () => {
    const url = await anEmptyDatabase()
    const other = { DATA_DIR: world.folder, SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64') }
    await expect(moving(other, { '--to': url })).rejects.toThrow(/is sealed with the data key/)
    const none = { DATA_DIR: world.folder, SWITCHYARD_MASTER_KEY: '' }
    await expect(moving(none, { '--to': url })).rejects.toThrow(/has its data key in the environment/)
  })

  it('to a database or folder that has data', async () => {
    const url = await anEmptyDatabase()
    await withDatabase(url, ({ db }) =>
      db.insertInto('options').values({ key: 'a', value: 'b', updated_at: 1 }).execute(),
    )
    const there = moving({ DATA_DIR: world.folder }, { '--to': url })
    await expect(there).rejects.toThrow(/is not empty \(options\)/)
    const back = { DATA_DIR: await aNewFolder(), DATABASE_URL: url }
    await expect(moving(back, { '--to': world.folder })).rejects.toThrow(/is not empty/)
    await expect(moving(back, { '--to': join(import.meta.dirname) })).rejects.toThrow(/is not empty/)
  })

  it('while a gateway uses either side', async () => {
    const url = await anEmptyDatabase()
    const node = await aNewFolder()
    const storage = await openStorage(
      readConfig({ SWITCHYARD_MASTER_KEY, DATA_DIR: node, DATABASE_URL: url }, []),
      aClock(),
      silentLogger,
    )
    const ledger = await storage.openLedger({ show: String, onLow: () => {}, isCounted: () => true })
    await expect(moving({ DATA_DIR: world.folder }, { '--to': url })).rejects.toThrow(/stop it first/)
    const back = { DATA_DIR: await aNewFolder(), DATABASE_URL: url }
    await expect(moving(back, { '--to': await aNewFolder() })).rejects.toThrow(/stop it first/)
    await ledger.close()
    await storage.store.close()
  })

  it('while another move runs, and no gateway starts meanwhile', async () => {
    const url = await anEmptyDatabase()
    await withDatabase(url, async () => {
      await expect(moving({ DATA_DIR: world.folder }, { '--to': url })).rejects.toThrow(/another move/)
      const start = starting({ DATA_DIR: await aNewFolder(), DATABASE_URL: url })
      await expect(start).rejects.toThrow(/a move .* is running/)
    })
  })
})

it('a dry run counts rows and changes nothing', async () => {
  const url = await anEmptyDatabase()
  const file = join(world.folder, 'switchyard.db')
  const before = await readFile(file)
  const lines = await moving({ DATA_DIR: world.folder }, { '--to': url }, ['--dry-run'])
  expect(lines).toContainEqual(expect.stringMatching(/^users: \d+$/))
  expect(lines).toContainEqual(expect.stringMatching(/^kept_bodies: \d+$/))
  expect(before.equals(await readFile(file))).toBe(true)
  await moving({ DATA_DIR: world.folder }, { '--to': url, '--without': 'bodies' }, ['--dry-run'])
})

it('a moved source and an unfinished target refuse to start; undo makes the source usable again', async () => {
  const { folder } = await aFilledWorld()
  const url = await anEmptyDatabase()
  await moving({ DATA_DIR: folder }, { '--to': url, '--without': 'bodies' })
  await withDatabase(url, async (there) => {
    expect(await sumsOf(there)).toMatchObject({ kept_bodies: { rows: 0 }, stored_responses: { rows: 0 } })
  })
  await expect(starting({ DATA_DIR: folder })).rejects.toThrow(/was moved to postgres:.*--undo/)
  const node = await aNewFolder()
  await starting({ DATA_DIR: node, DATABASE_URL: url })
  const again = await moving({ DATA_DIR: folder }, { '--to': url })
  expect(again).toEqual([expect.stringMatching(/was moved to .* before/)])
  await expect(moving({ DATA_DIR: folder }, { '--to': await anEmptyDatabase() })).rejects.toThrow(
    /was moved to .* before/,
  )
  await moving({ DATA_DIR: folder }, { '--to': url }, ['--undo'])
  await starting({ DATA_DIR: folder })
  await expect(starting({ DATA_DIR: node, DATABASE_URL: url })).rejects.toThrow(/is not finished/)
})

it('is not undone once money has moved on the target', async () => {
  const { folder } = await aFilledWorld()
  const url = await anEmptyDatabase()
  await moving({ DATA_DIR: folder }, { '--to': url })
  const row = { created_at: 1, user_id: 1, kind: 'grant', amount: 1, ref_type: 'test', ref_id: 'one', balance_after: 1 }
  await withDatabase(url, ({ db }) => db.insertInto('ledger').values(row).execute())
  await expect(moving({ DATA_DIR: folder }, { '--to': url }, ['--undo'])).rejects.toThrow(/movements of money/)
  await expect(starting({ DATA_DIR: folder })).rejects.toThrow(/was moved to/)
  await withFolder(folder, async (here) => expect(await sumsOf(here)).toHaveProperty('users'))
})
