import { en, isMessageKey, type MessageKey } from './en.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { type Locale, localeOf } from './locales.ts'
import { withPlurals } from './plural.ts'
import { ru } from './ru.ts'
import { vi } from './vi.ts'
import { zh } from './zh.ts'
import { zhTw } from './zh-tw.ts'

export type { Locale } from './locales.ts'

/** Values for the placeholders of a message. A value may carry `nested(key)`, which is translated along with the message. */
export type MessageParams = Readonly<Record<string, string | number>>

const texts: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { en, zh, 'zh-TW': zhTw, ja, fr, ru, vi }

/**
 * The text of `key` in the reader's language with its `{placeholders}` filled in. A placeholder without a value stays as
 * it is written. Values are not escaped: whoever puts the text into HTML must do that.
 */
export const formatMessage = (locale: Locale, key: MessageKey, params: MessageParams = {}): string =>
  withPlurals(texts[locale][key], locale, params).replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(params, name) ? translateNested(locale, String(params[name]), params) : whole,
  )

const MARK = '\u0000'

/**
 * A reference to another message for use as a parameter value, e.g. the label of a setting named in a refusal. Its own
 * placeholders are filled from the same values, which are inserted as they are. Its marks are NUL characters, which no
 * typed text can contain.
 */
export const nested = (key: MessageKey): string => MARK + key + MARK

/**
 * The language of the preferred entry of `Accept-Language`. Without the header it is Chinese, as in the family of
 * products (docs/reference/screens.md#texts).
 */
export function localeFrom(acceptLanguage: string | undefined): Locale {
  const preferences = (acceptLanguage ?? '').split(',').flatMap(readPreference)
  if (preferences.length === 0) return 'zh'
  const preferred = preferences.reduce((best, preference) => (preference.weight > best.weight ? preference : best))
  return localeOf(preferred.tag)
}

/** The language of relayed requests. SDKs send no header or `*`: they get English, the language of the dialects. */
export const relayLocale = (acceptLanguage: string | undefined): Locale =>
  acceptLanguage === undefined ? 'en' : localeFrom(acceptLanguage)

const translateNested = (locale: Locale, value: string, params: MessageParams): string =>
  value
    .split(MARK)
    .map((part, place) => (place % 2 === 1 && isMessageKey(part) ? filled(texts[locale][part], params) : part))
    .join('')

const filled = (text: string, params: MessageParams): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : whole))

/** Reads one entry such as `zh-CN;q=0.9`; an entry without a tag is dropped, an unreadable weight counts as 1. */
function readPreference(entry: string): { tag: string; weight: number }[] {
  const [tag = '', ...settings] = entry.split(';').map((part) => part.trim().toLowerCase())
  if (tag === '') return []
  const weight = Number.parseFloat(settings.find((part) => part.startsWith('q='))?.slice(2) ?? '1')
  return [{ tag, weight: Number.isNaN(weight) ? 1 : weight }]
}
