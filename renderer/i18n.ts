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

/**
 * Loads texts in the person's language and makes `t` ready; nothing may be rendered before. `isWhole` loads those of all
 * pages, else what the first view says.
 */
export async function startTranslation(isWhole: boolean): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    // A brace that names no value, as in an example of JSON, stays as it is written.
    missingInterpolationHandler: (_text, [whole]) => whole,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    // Texts of the pages come after those of the first view.
    react: { bindI18nStore: 'added' },
  })
  if (isWhole) await loadAllTexts()
  else await speak(preferredLocale())
}

/** Loads the texts of all pages, unless that has been done. */
export function loadAllTexts(): Promise<void> {
  whole ??= speak(i18next.language ? currentLocale() : preferredLocale(), true)
  whole.catch(() => {
    whole = undefined
  })
  return whole
}

/** Once every text is wanted, and not those of the first view alone: resolves when they are there. */
let whole: Promise<void> | undefined

/** Switches the console to a language and remembers it. */
export async function chooseLanguage(locale: Locale): Promise<void> {
  await speak(locale)
  writeStored('i18nextLng', locale)
}

/** The language the console speaks now. */
export const currentLocale = (): Locale => localeOf(i18next.language)

type SomeTexts = Readonly<Record<string, string>>

/**
 * Each language is loaded in two parts, and only the one that is spoken: what the first view says, and what the pages say
 * beside it. What the relay alone says (shared/messages/en/relay.ts) the console never does.
 */
const texts = {
  en: {
    first: () =>
      textsOf([
        import('../shared/messages/en/label.ts'),
        import('../shared/messages/en/failure.ts'),
        import('./messages/en/frame.ts'),
      ]),
    rest: () =>
      textsOf([
        import('../shared/messages/en/account.ts'),
        import('../shared/messages/en/operation.ts'),
        import('../shared/messages/en/option.ts'),
        import('./messages/en.ts'),
      ]),
  },
  zh: {
    first: () =>
      textsOf([
        import('../shared/messages/zh/label.ts'),
        import('../shared/messages/zh/failure.ts'),
        import('./messages/zh/frame.ts'),
      ]),
    rest: () =>
      textsOf([
        import('../shared/messages/zh/account.ts'),
        import('../shared/messages/zh/operation.ts'),
        import('../shared/messages/zh/option.ts'),
        import('./messages/zh.ts'),
      ]),
  },
} as const satisfies Record<Locale, Record<'first' | 'rest', () => Promise<SomeTexts>>>

/** The texts of several files together. */
const textsOf = async (files: readonly Promise<object>[]): Promise<SomeTexts> =>
  Object.assign({}, ...(await Promise.all(files)).flatMap((file) => Object.values(file)))

/** Loads what is missing, then switches; also tells the browser, which picks fonts and hyphens by it. */
async function speak(locale: Locale, isWhole = whole !== undefined): Promise<void> {
  const { first, rest } = texts[locale]
  const parts = await Promise.all([first(), isWhole ? rest() : {}])
  i18next.addResourceBundle(locale, 'translation', Object.assign({}, ...parts), true, true)
  await i18next.changeLanguage(locale)
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en'
}

/** The person's choice, else the browser's language, else English. */
const preferredLocale = (): Locale => localeOf(readStored('i18nextLng', z.string()) ?? navigator.language)

/** As the gateway does: `zh` in any form is Chinese, all else English. */
const localeOf = (tag: string): Locale => (tag.toLowerCase().startsWith('zh') ? 'zh' : 'en')
