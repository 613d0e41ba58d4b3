import { initial } from './0001-initial.ts'
import { storedResponses } from './0002-stored-responses.ts'
import type { Migration } from './column.ts'

/** In order; a migration's version is its place in this list, counted from 1. Append only. */
export const migrations: readonly Migration[] = [initial, storedResponses]
