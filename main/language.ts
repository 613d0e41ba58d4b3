import type { Locale } from '../shared/messages/format.ts'
import { en, type TextKey } from './messages/en.ts'
import { zh } from './messages/zh.ts'

export type { TextKey } from './messages/en.ts'

/** Translates a text and fills in its `{placeholders}`; those without a value stay as written. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

const texts: Readonly<Record<Locale, Readonly<Record<TextKey, string>>>> = { en, zh }

export const speak =
  (locale: Locale): Translate =>
  (key, values = {}) =>
    texts[locale][key].replace(/\{(\w+)\}/g, (match, name: string) => String(values[name] ?? match))

/** Same rule as gateway and console: `zh` in any form is Chinese, everything else English. */
export const localeOf = (tag: string): Locale => (tag.toLowerCase().startsWith('zh') ? 'zh' : 'en')
