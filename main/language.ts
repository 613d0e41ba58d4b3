import type { Locale } from '../shared/messages/locales.ts'
import { withPlurals } from '../shared/messages/plural.ts'
import { en, type TextKey } from './messages/en.ts'
import { fr } from './messages/fr.ts'
import { ja } from './messages/ja.ts'
import { ru } from './messages/ru.ts'
import { vi } from './messages/vi.ts'
import { zh } from './messages/zh.ts'
import { zhTw } from './messages/zh-tw.ts'

export type { TextKey } from './messages/en.ts'

/** Translates a text and fills in its `{placeholders}`; those without a value stay as written. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

const texts: Readonly<Record<Locale, Readonly<Record<TextKey, string>>>> = { en, zh, 'zh-TW': zhTw, ja, fr, ru, vi }

export const speak =
  (locale: Locale): Translate =>
  (key, values = {}) =>
    withPlurals(texts[locale][key], locale, values).replace(/\{(\w+)\}/g, (match, name: string) =>
      String(values[name] ?? match),
    )
