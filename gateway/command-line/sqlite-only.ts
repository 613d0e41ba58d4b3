import { refuse } from '../base/errors.ts'

/** Refuses where the data is in PostgreSQL, whose own programs back it up (docs/reference/backup.md#postgresql). */
export function requireSqlite({ DATABASE_URL }: Readonly<Record<string, string | undefined>>): void {
  if (DATABASE_URL && /^postgres(ql)?:/i.test(DATABASE_URL)) throw refuse('invalid', 'backup.postgres')
}
