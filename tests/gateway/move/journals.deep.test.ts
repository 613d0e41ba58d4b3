import { expect, it } from 'vitest'
import type { MoveSide } from '../../../gateway/move/move-side.ts'
import { aChild } from '../../process/child.ts'
import { aHouse, question, seenBy } from '../../process/house.ts'
import { reconcile } from '../../support/reconcile.ts'
import { SQLITE } from '../../support/tables.ts'
import { aNewFolder, anEmptyDatabase, moving, withDatabase, withFolder } from './moving.ts'

it.each(['there', 'back'])(
  'a move %s includes the charges in the journal of a gateway that was killed',
  async (way) => {
    const house = await aHouse(way === 'there' ? SQLITE : {})
    const child = await house.start()
    const seen = await Promise.all(house.keys.map((key) => seenBy(child.url, { key, content: question(3, 0) })))
    child.kill('SIGKILL')
    await child.ended
    const ids = seen.map(({ requestId }) => requestId).sort()
    const check = async ({ db }: MoveSide) => {
      const rows = await db.selectFrom('ledger').select('ref_id').where('kind', '=', 'consume').execute()
      expect(rows.map(({ ref_id }) => ref_id).sort()).toEqual(ids)
      expect(await reconcile(db)).toEqual([])
    }
    const environment = { ...house.config, DATA_DIR: house.folder }
    const url = way === 'there' ? await anEmptyDatabase() : ''
    const folder = await aNewFolder()
    await moving(environment, { '--to': url || folder })
    await (way === 'there' ? withDatabase(url, check) : withFolder(folder, check))
    const next = await aChild({ folder, config: { ...house.config, DATABASE_URL: url } })
    for (const key of house.keys)
      expect(await seenBy(next.url, { key, content: question(3, 0) })).toMatchObject({ done: true })
    next.kill('SIGTERM')
    expect(await next.ended).toMatchObject({ code: 0, err: '' })
  },
)
