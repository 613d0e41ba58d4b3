import i18next from 'i18next'
import * as react from 'react-i18next'
import type { TextKey } from './i18n.ts'

/**
 * A text in the person's language; `values` fill the names in its braces. A plain type: i18next's own, worked out for each of
 * thousands of calls, takes longer to check than the rest of the console.
 */
export type Translate = (key: TextKey, values?: Readonly<Record<string, unknown>>) => string

/** The texts for a component, which is drawn again in another language. */
export function useTranslation(): Readonly<{ t: Translate; language: string }> {
  const { t, i18n } = react.useTranslation()
  return { t: t as unknown as Translate, language: i18n.language } // what it is with one namespace and texts only
}

/** A text for what is no component. */
export const translate: Translate = (key, values) => i18next.t(key, { ...values })
