import i18next from 'i18next'
import * as react from 'react-i18next'
import type { TextKey } from './i18n.ts'

/**
 * Returns a text in the user's language; `values` fill the names in its braces. A plain type: checking i18next's own
 * for thousands of calls takes longer than the rest of the console.
 */
export type Translate = (key: TextKey, values?: Readonly<Record<string, unknown>>) => string

/** The texts for a component; it re-renders when the language changes. */
export function useTranslation(): Readonly<{ t: Translate; language: string }> {
  const { t, i18n } = react.useTranslation()
  return { t: t as unknown as Translate, language: i18n.language } // true for one namespace with string resources only
}

export const translate: Translate = (key, values) => i18next.t(key, { ...values })
