import type { Migration } from './column.ts'
import { initial } from './initial/initial.ts'

/** The version of the first of `migrations`; earlier ones were never released. */
export const FIRST_VERSION = 30

/** In order, each a version further. Append only. */
export const migrations: readonly Migration[] = [initial]
