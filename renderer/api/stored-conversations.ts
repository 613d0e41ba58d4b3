import * as z from 'zod/mini'
import { readStored, writeStored } from './stored.ts'

/** The browser database with one account's playground conversations (docs/reference/screens.md#playground). */
export const conversationsOf = (userId: number): string => `playground-${userId}`

/** Whether conversations stay in this browser after logout; off by default. */
const retainsConversations = (): boolean => readStored('playground-keep', z.boolean()) ?? false

/** Deletes the conversations of an account that has logged out, unless the user chose to retain them. */
export function forgetConversations(userId: number): void {
  if (retainsConversations()) return
  writeStored('playground-draft', undefined)
  try {
    indexedDB.deleteDatabase(conversationsOf(userId))
  } catch {
    // A browser without IndexedDB has stored nothing.
  }
}
