/** The languages of all texts: each named in itself, with its BCP 47 tag. English and Chinese come first. */
export const languages = {
  en: { name: 'English', tag: 'en' },
  zh: { name: '简体中文', tag: 'zh-CN' },
} as const satisfies Record<string, Readonly<{ name: string; tag: string }>>

export type Locale = keyof typeof languages

export const locales = Object.keys(languages) as Locale[] // the keys of the object above

export const languageTag = (locale: Locale): string => languages[locale].tag

/** The language for a BCP 47 tag such as `zh-Hans-SG`; English if there is none. */
export const localeOf = (tag: string): Locale => localeIn(tag) ?? 'en'

function localeIn(tag: string): Locale | undefined {
  const [language] = tag.toLowerCase().split('-')
  return locales.find((locale) => locale === language)
}

/** Another language, in a circle: for a button that offers one at a time. */
export const nextLocale = (locale: Locale): Locale => locales[(locales.indexOf(locale) + 1) % locales.length] ?? locale
