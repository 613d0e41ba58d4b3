import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { z } from 'zod'
import type { en as sharedTexts } from '../shared/messages/en.ts'
import type { Locale } from '../shared/messages/format.ts'
import { readStored, writeStored } from './api/stored.ts'
import type { en as consoleTexts } from './messages/en.ts'

/** All texts, by key: the shared ones and those of the console alone. */
type Texts = typeof sharedTexts & typeof consoleTexts

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    interpolationPrefix: '{'
    interpolationSuffix: '}'
    resources: { translation: Texts }
  }
}

/** The key of any text of the console, shared or its own. */
export type TextKey = keyof Texts

/** Loads the texts of the person's language and makes `t` ready; nothing may be rendered before. */
export async function startTranslation(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    // A brace that names no value, as in an example of JSON, stays as it is written.
    missingInterpolationHandler: (_text, [whole]) => whole,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  })
  await speak(preferredLocale())
}

/** Switches the console to a language and remembers it. */
export async function chooseLanguage(locale: Locale): Promise<void> {
  await speak(locale)
  writeStored('i18nextLng', locale)
}

/** The language the console speaks now. */
export const currentLocale = (): Locale => localeOf(i18next.language)

/** Each language is a chunk of its own: only the one that is spoken is loaded. */
const texts: Record<Locale, () => Promise<Texts>> = {
  en: async () => {
    const [shared, own] = await Promise.all([import('../shared/messages/en.ts'), import('./messages/en.ts')])
    return { ...shared.en, ...own.en }
  },
  zh: async () => {
    const [shared, own] = await Promise.all([import('../shared/messages/zh.ts'), import('./messages/zh.ts')])
    return { ...shared.zh, ...own.zh }
  },
}

/** Loads what is missing, then switches; also tells the browser, which picks fonts and hyphens by it. */
async function speak(locale: Locale): Promise<void> {
  if (!i18next.hasResourceBundle(locale, 'translation')) {
    i18next.addResourceBundle(locale, 'translation', await texts[locale]())
  }
  await i18next.changeLanguage(locale)
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en'
}

/** The person's choice, else the browser's language, else English. */
const preferredLocale = (): Locale => localeOf(readStored('i18nextLng', z.string()) ?? navigator.language)

/** As the gateway does: `zh` in any form is Chinese, all else English. */
const localeOf = (tag: string): Locale => (tag.toLowerCase().startsWith('zh') ? 'zh' : 'en')
