/**
 * The languages of all texts: each with its name in that language and its BCP 47 tag. English and Chinese come first.
 */
export const languages = {
  en: { name: 'English', tag: 'en' },
  zh: { name: '简体中文', tag: 'zh-CN' },
  'zh-TW': { name: '繁體中文', tag: 'zh-TW' },
  ja: { name: '日本語', tag: 'ja' },
  fr: { name: 'Français', tag: 'fr' },
  ru: { name: 'Русский', tag: 'ru' },
  vi: { name: 'Tiếng Việt', tag: 'vi' },
} as const satisfies Record<string, Readonly<{ name: string; tag: string }>>

export type Locale = keyof typeof languages

export const locales = Object.keys(languages) as Locale[] // the keys of the object above

export const languageTag = (locale: Locale): string => languages[locale].tag

/** The language for a BCP 47 tag such as `zh-Hans-SG`; English for a language without texts. */
export function localeOf(tag: string): Locale {
  const [language, ...rest] = tag.toLowerCase().split('-')
  if (language === 'zh') return TRADITIONAL.has(rest[0] ?? '') ? 'zh-TW' : 'zh'
  return locales.find((locale) => locale === language) ?? 'en'
}

/** Script and regions of Traditional Chinese (Unicode CLDR, "Likely Subtags"). */
const TRADITIONAL = new Set(['hant', 'tw', 'hk', 'mo'])

/** Written without spaces between sentences. */
const spaceless = new Set<Locale>(['zh', 'zh-TW', 'ja'])

export const joinSentences = (locale: Locale, sentences: readonly string[]): string =>
  sentences.join(spaceless.has(locale) ? '' : ' ')

/** The next language, and after the last the first: for a button that offers one language at a time. */
export const nextLocale = (locale: Locale): Locale => locales[(locales.indexOf(locale) + 1) % locales.length] ?? locale
