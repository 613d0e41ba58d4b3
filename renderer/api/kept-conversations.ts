import * as z from 'zod/mini'
import { readStored, writeStored } from './stored.ts'

/** The browser's database with the playground's conversations of one account (docs/reference/screens.md#playground). */
export const conversationsOf = (userId: number): string => `playground-${userId}`

/** Whether conversations stay in this browser when the person logs out; they do only by choice. */
const keepsConversations = (): boolean => readStored('playground-keep', z.boolean()) ?? false

/** Removes the conversations of an account that has logged out, unless they are to stay. */
export function forgetConversations(userId: number): void {
  if (keepsConversations()) return
  writeStored('playground-draft', undefined)
  try {
    indexedDB.deleteDatabase(conversationsOf(userId))
  } catch {
    // A browser that allows no database has kept nothing.
  }
}
