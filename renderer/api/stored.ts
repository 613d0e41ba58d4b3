import { useCallback, useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { parsed } from '../../shared/json.ts'

/** Every key the console stores in the browser (docs/reference/screens.md#local-storage). */
export type StoredKey =
  | 'user'
  | 'status'
  | 'system_name'
  | 'logo'
  | 'footer_html'
  | 'quota_per_unit'
  | 'display_in_currency'
  | 'enable_drawing'
  | 'enable_task'
  | 'enable_data_export'
  | 'data_export_default_time'
  | 'default_collapse_sidebar'
  | 'mj_notify_enabled'
  | 'chats'
  | 'pay_methods'
  | 'docs_link'
  | 'chat_link'
  | 'chat_link2'
  | 'theme-mode'
  | 'i18nextLng'
  | 'aff'
  | 'page-size'
  | 'id-sort'
  | 'enable-tag-mode'
  | 'enable-batch-delete'
  | 'channels-table-columns'
  | 'logs-table-columns'
  | 'tokens-table-columns'
  | 'channel_models'
  | 'amount-unit'
  | 'client-model'
  | 'playground-keep'
  | 'playground-draft'
  | 'seen-runs'
  | 'saved-log-filters'
  | 'modelsExpanded'
  | 'notice'
  | 'home_page_content'

/**
 * Returns undefined if there is no value or it does not fit the schema. Strings are stored as is, everything else as
 * JSON.
 */
export const readStored = <T>(key: StoredKey, schema: z.core.$ZodType<T>): T | undefined =>
  parseStored(localStorage.getItem(key), schema)

/** Stores a value, or removes it if undefined, and notifies every `useStored` of the key. */
export function writeStored(key: StoredKey, value: unknown): void {
  if (value === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value))
  for (const listener of listeners) listener()
}

/**
 * A stored value as state that follows changes here and in other tabs. The schema must be defined outside of the
 * component.
 */
export function useStored<T>(
  key: StoredKey,
  schema: z.core.$ZodType<T>,
): [T | undefined, (value: T | undefined) => void] {
  const raw = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const value = useMemo(() => parseStored(raw, schema), [raw, schema])
  const write = useCallback((next: T | undefined) => writeStored(key, next), [key])
  return [value, write]
}

/** Notified after each write in this tab; other tabs use the `storage` event. */
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/**
 * Other programs may have written anything under these keys. Tries the bare string first, so that a string that looks
 * like JSON stays a string, then JSON.
 */
function parseStored<T>(raw: string | null, schema: z.core.$ZodType<T>): T | undefined {
  if (raw === null) return undefined
  const bare = z.safeParse(schema, raw)
  return bare.success ? bare.data : z.safeParse(schema, parsed(raw)).data
}
