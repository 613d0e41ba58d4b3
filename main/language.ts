import type { Locale } from '../shared/messages/format.ts'
import { en, type TextKey } from './messages/en.ts'
import { zh } from './messages/zh.ts'

export type { TextKey } from './messages/en.ts'

/** Says a text in one language, with its `{placeholders}` filled in; one without a value stays as it is written. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

const texts: Readonly<Record<Locale, Readonly<Record<TextKey, string>>>> = { en, zh }

/** The texts of the desktop program in a language. */
export const speak =
  (locale: Locale): Translate =>
  (key, values = {}) =>
    texts[locale][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** As gateway and console do: `zh` in any form is Chinese, all else English. */
export const localeOf = (tag: string): Locale => (tag.toLowerCase().startsWith('zh') ? 'zh' : 'en')
