import type { Migration } from './column.ts'
import { initial } from './initial/initial.ts'

/** The version of the first entry of `migrations`; earlier versions were never released. */
export const FIRST_VERSION = 35

/** In ascending order, one version per entry. Append only. */
export const migrations: readonly Migration[] = [initial]
