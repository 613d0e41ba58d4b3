import { currentLocale } from '../i18n.ts'

/** Sentences as one text; in Chinese nothing stands between them. What is empty is left out. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(currentLocale() === 'zh' ? '' : ' ')
