import { joinSentences } from '../../shared/messages/locales.ts'
import { currentLocale } from '../i18n.ts'

/** Joins sentences as the user's language does. Empty ones are omitted. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  joinSentences(
    currentLocale(),
    parts.flatMap((part) => part || []),
  )
