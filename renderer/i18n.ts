import i18next, { type PostProcessorModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import * as z from 'zod/mini'
import type { en as sharedTexts } from '../shared/messages/en.ts'
import { type Locale, languageTag, localeOf } from '../shared/messages/locales.ts'
import { withPlurals } from '../shared/messages/plural.ts'
import { readStored, writeStored } from './api/stored.ts'
import type { en as consoleTexts } from './messages/en.ts'

type Texts = typeof sharedTexts & typeof consoleTexts

export type TextKey = keyof Texts

/**
 * Texts that are loaded as one file. `first` is used by the first view, `pages` by all pages beyond it; the others
 * belong to the pages that name them (renderer/page-routes.tsx).
 */
export type TextPart = keyof (typeof texts)['en']

/** Loads texts in the user's language and makes `t` ready; must finish before the first render. */
export async function startTranslation(): Promise<void> {
  await i18next
    .use(plurals)
    .use(initReactI18next)
    .init({
      postProcess: plurals.name,
      resources: {},
      fallbackLng: false,
      keySeparator: false,
      nsSeparator: false,
      // Braces that name no value, such as in a JSON example, stay as written.
      missingInterpolationHandler: (_text, [match]) => match,
      interpolation: { prefix: '{', suffix: '}', escapeValue: false },
      // Renders again when texts are added: those of pages load after those of the first view.
      react: { bindI18nStore: 'added' },
    })
  await switchLanguage(preferredLocale())
}

const plurals: PostProcessorModule = {
  type: 'postProcessor',
  name: 'plurals',
  process: (text, _key, values) => withPlurals(text, currentLocale(), values),
}

/** Loads more texts unless they are loaded already. */
export async function loadTexts(parts: readonly TextPart[]): Promise<void> {
  for (const part of parts) loadedParts.add(part)
  const locale = i18next.language ? currentLocale() : preferredLocale()
  const added = await textsOf(locale, parts)
  // If the language has changed meanwhile, `switchLanguage` has already loaded these parts.
  i18next.addResourceBundle(locale, 'translation', added, true, true)
}

/** All parts requested so far, in any language. */
const loadedParts = new Set<TextPart>(['first'])

export async function chooseLanguage(locale: Locale): Promise<void> {
  await switchLanguage(locale)
  writeStored('i18nextLng', locale)
}

export const currentLocale = (): Locale => localeOf(i18next.language)

/**
 * English and Chinese are loaded in parts, so that the first view is quick. The console never uses the relay's texts
 * (shared/messages/en/relay.ts).
 */
const texts = {
  en: {
    first: () => import('./messages/en/first.ts'),
    pages: () => import('./messages/en/pages.ts'),
    setup: () => import('./messages/en/setup.ts'),
    entry: () => import('./messages/en/entry.ts'),
    providers: () => import('./messages/en/providers.ts'),
    option: () => import('../shared/messages/en/option.ts'),
    optionRefusal: () => import('../shared/messages/en/option-refusal.ts'),
    home: () => import('./messages/en/home.ts'),
    dashboard: () => import('./messages/en/dashboard.ts'),
    help: () => import('./messages/en/help.ts'),
    channels: () => import('./messages/en/channels.ts'),
    channelTests: () => import('./messages/en/channel-tests.ts'),
    connect: () => import('./messages/en/connect.ts'),
    routing: () => import('./messages/en/routing.ts'),
    token: () => import('./messages/en/token.ts'),
    chat: () => import('./messages/en/chat.ts'),
    users: () => import('./messages/en/users.ts'),
    log: () => import('./messages/en/log.ts'),
    tasks: () => import('./messages/en/tasks.ts'),
    playground: () => import('./messages/en/playground.ts'),
    ledger: () => import('./messages/en/ledger.ts'),
    jobs: () => import('./messages/en/jobs.ts'),
    imports: () => import('./messages/en/imports.ts'),
    catalogue: () => import('./messages/en/catalogue.ts'),
    setting: () => import('./messages/en/setting.ts'),
    settingTools: () => import('./messages/en/setting-tools.ts'),
    settingHistory: () => import('./messages/en/setting-history.ts'),
    pricing: () => import('./messages/en/pricing.ts'),
    priceEditor: () => import('./messages/en/price-editor.ts'),
    personal: () => import('./messages/en/personal.ts'),
    wallet: () => import('./messages/en/wallet.ts'),
  },
  zh: {
    first: () => import('./messages/zh/first.ts'),
    pages: () => import('./messages/zh/pages.ts'),
    setup: () => import('./messages/zh/setup.ts'),
    entry: () => import('./messages/zh/entry.ts'),
    providers: () => import('./messages/zh/providers.ts'),
    option: () => import('../shared/messages/zh/option.ts'),
    optionRefusal: () => import('../shared/messages/zh/option-refusal.ts'),
    home: () => import('./messages/zh/home.ts'),
    dashboard: () => import('./messages/zh/dashboard.ts'),
    help: () => import('./messages/zh/help.ts'),
    channels: () => import('./messages/zh/channels.ts'),
    channelTests: () => import('./messages/zh/channel-tests.ts'),
    connect: () => import('./messages/zh/connect.ts'),
    routing: () => import('./messages/zh/routing.ts'),
    token: () => import('./messages/zh/token.ts'),
    chat: () => import('./messages/zh/chat.ts'),
    users: () => import('./messages/zh/users.ts'),
    log: () => import('./messages/zh/log.ts'),
    tasks: () => import('./messages/zh/tasks.ts'),
    playground: () => import('./messages/zh/playground.ts'),
    ledger: () => import('./messages/zh/ledger.ts'),
    jobs: () => import('./messages/zh/jobs.ts'),
    imports: () => import('./messages/zh/imports.ts'),
    catalogue: () => import('./messages/zh/catalogue.ts'),
    setting: () => import('./messages/zh/setting.ts'),
    settingTools: () => import('./messages/zh/setting-tools.ts'),
    settingHistory: () => import('./messages/zh/setting-history.ts'),
    pricing: () => import('./messages/zh/pricing.ts'),
    priceEditor: () => import('./messages/zh/price-editor.ts'),
    personal: () => import('./messages/zh/personal.ts'),
    wallet: () => import('./messages/zh/wallet.ts'),
  },
} as const satisfies Partial<Record<Locale, Readonly<Record<string, () => Promise<object>>>>>

/** The other languages are each loaded as a whole. */
const wholeLanguages = {
  'zh-TW': () => [import('./messages/zh-tw.ts'), import('../shared/messages/zh-tw.ts')],
  ja: () => [import('./messages/ja.ts'), import('../shared/messages/ja.ts')],
  fr: () => [import('./messages/fr.ts'), import('../shared/messages/fr.ts')],
  ru: () => [import('./messages/ru.ts'), import('../shared/messages/ru.ts')],
  vi: () => [import('./messages/vi.ts'), import('../shared/messages/vi.ts')],
} as const satisfies Record<
  Exclude<Locale, keyof typeof texts>,
  () => readonly Promise<Readonly<Record<string, object>>>[]
>

async function textsOf(locale: Locale, parts: Iterable<TextPart>): Promise<object> {
  const files: readonly Promise<Readonly<Record<string, object>>>[] = isInParts(locale)
    ? Array.from(parts, (part) => texts[locale][part]())
    : wholeLanguages[locale]()
  const loaded = await Promise.all(files)
  return Object.assign({}, ...loaded.flatMap((file) => Object.values<object>(file)))
}

const isInParts = (locale: Locale): locale is keyof typeof texts => Object.hasOwn(texts, locale)

/**
 * Loads missing texts, then switches; also sets the document's language, by which the browser picks fonts and
 * hyphenation.
 */
async function switchLanguage(locale: Locale): Promise<void> {
  i18next.addResourceBundle(locale, 'translation', await textsOf(locale, loadedParts), true, true)
  await i18next.changeLanguage(locale)
  document.documentElement.lang = languageTag(locale)
}

/** The stored choice, else the browser's language, else English. */
const preferredLocale = (): Locale => localeOf(readStored('i18nextLng', z.string()) ?? navigator.language)
