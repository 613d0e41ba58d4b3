import { currentLocale } from '../i18n.ts'

/** Joins sentences, without a space in Chinese. Empty ones are omitted. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(currentLocale() === 'zh' ? '' : ' ')
