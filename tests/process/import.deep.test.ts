import { readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { signedIn } from '../support/client.ts'
import { reconcile } from '../support/reconcile.ts'
import { SIBLING_HASH, SIBLING_PASSWORD, siblingDatabase } from '../support/sibling-database.ts'
import { aWorld } from '../support/world.ts'
import { aChild, aCommand, aProcess } from './child.ts'

const SWITCHYARD_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

describe('the import from a shell (docs/operations.md#import)', () => {
  it('reports what it would import, imports it, and then the gateway has it', async () => {
    const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY } })
    await world.gateway.stop()
    const file = join(world.folder, 'one-api.db')
    const rows = {
      users: [{ id: 1, username: 'old', password: SIBLING_HASH, quota: 70, used_quota: 7, aff_code: 'a' }],
      tokens: [{ user_id: 1, key: 'k'.repeat(48), name: 'token', unlimited_quota: 1 }],
      logs: [{ user_id: 1, type: 2, content: 'used' }],
      options: [{ key: 'SystemName', value: 'The old house' }],
    }
    await writeFile(file, await siblingDatabase('new-api', rows))
    const command = (...args: string[]) => aCommand({ folder: world.folder, args, config: { SWITCHYARD_MASTER_KEY } })
    const told = 'The file is from new-api.\nusers: 1 new, 0 already here, 0 deleted there, 0 left out\n'
    const dry = await command('import', file, '--dry-run', '--history')
    expect([dry.code, dry.err]).toEqual([0, ''])
    expect(dry.out.startsWith(told)).toBe(true)
    expect(dry.out).toContain('\n  SystemName: Switchyard -> The old house\n')
    expect(dry.out.endsWith('This was a dry run. Nothing was written.\n')).toBe(true)
    expect((await command('import', '--history', '--dry-run', file)).out, 'in any order').toBe(dry.out)
    const done = await command('import', file, '--history')
    expect([done.code, done.err]).toEqual([0, ''])
    expect(done.out.startsWith(told)).toBe(true)
    expect(done.out.endsWith('Imported.\nThe usage log was imported.\n')).toBe(true)
    expect((await command('import', file)).out).toMatch(/There is nothing to import\.\n$/)
    expect(await command('import', join(world.folder, 'lock.db'))).toMatchObject({ code: 4 })
    expect(await command('import', join(world.folder, 'nothing'))).toMatchObject({
      code: 4,
      err: expect.stringContaining('is not a file'),
    })
    expect(readdirSync(join(world.folder, 'import'))).toEqual([])
    const database = await openDatabase(world.folder, 1)
    expect(await reconcile(database.db)).toEqual([])
    await database.close()
    const { url } = await aChild({ folder: world.folder, config: { SWITCHYARD_MASTER_KEY } })
    expect((await (await signedIn(url, 'old', SIBLING_PASSWORD)).get('/api/user/self')).data.quota).toBe(70)
    const models = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${'k'.repeat(48)}` } })
    expect(models.status).toBe(200)
    expect((await command('import', file)).code, 'while a gateway runs').toBe(3)
  })

  it('leaves nothing half where it is killed, and all of it comes the next time', async () => {
    const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY } })
    await world.gateway.stop()
    const file = join(world.folder, 'one-api.db')
    const users = Array.from({ length: 8000 }, (_, index) => ({
      id: index + 1,
      username: `old${index}`,
      password: SIBLING_HASH,
      quota: index,
      used_quota: index,
      aff_code: `c${index}`,
    }))
    await writeFile(file, await siblingDatabase('new-api', { users }))
    const start = () => aProcess({ folder: world.folder, args: ['import', file], config: { SWITCHYARD_MASTER_KEY } })
    const written = () => statSync(join(world.folder, 'switchyard.db-wal'), { throwIfNoEntry: false })?.size ?? 0
    const child = start()
    let isOver = false
    void child.ended.then(() => {
      isOver = true
    })
    // A transaction writes to the write-ahead log early once the cache is full; a busy machine may check late.
    await expect.poll(() => isOver || written() > 500_000, { timeout: 60_000, interval: 1 }).toBe(true)
    child.kill('SIGKILL')
    await child.ended
    const look = async () => {
      const database = await openDatabase(world.folder, 1)
      const found = await database.db.selectFrom('users').select('id').execute()
      const differences = await reconcile(database.db)
      await database.close()
      return [found.length, differences]
    }
    expect([
      [1, []],
      [users.length + 1, []],
    ]).toContainEqual(await look())
    expect((await start().ended).code).toBe(0)
    expect(await look()).toEqual([users.length + 1, []])
  })
})
