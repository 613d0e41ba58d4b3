import { Client } from 'pg'
import { inject, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { migrateOnce } from '../../../../gateway/store/postgres/migrate-once.ts'
import { aPostgresDatabase } from '../../../support/tables.ts'

it('a migration that meets the locks of other nodes is tried again (docs/growth.md#upgrade)', async () => {
  const url = await aPostgresDatabase(inject('postgres') ?? '')
  const other = new Client(url)
  await other.connect()
  await other.query('begin')
  await other.query('lock table schema_migrations in access exclusive mode')
  const { promise: isHindered, resolve } = Promise.withResolvers<void>()
  const migrated = migrateOnce(url, 1_700_000_000, { ...silentLogger, warn: () => resolve() })
  await isHindered
  await other.query('rollback')
  await migrated
  await other.end()
})
