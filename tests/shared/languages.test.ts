import { describe, expect, it } from 'vitest'
import { en as desktop } from '../../main/messages/en.ts'
import { fr as desktopFr } from '../../main/messages/fr.ts'
import { ja as desktopJa } from '../../main/messages/ja.ts'
import { ru as desktopRu } from '../../main/messages/ru.ts'
import { vi as desktopVi } from '../../main/messages/vi.ts'
import { zh as desktopZh } from '../../main/messages/zh.ts'
import { zhTw as desktopZhTw } from '../../main/messages/zh-tw.ts'
import { en as console } from '../../renderer/messages/en.ts'
import { fr as consoleFr } from '../../renderer/messages/fr.ts'
import { ja as consoleJa } from '../../renderer/messages/ja.ts'
import { ru as consoleRu } from '../../renderer/messages/ru.ts'
import { vi as consoleVi } from '../../renderer/messages/vi.ts'
import { zh as consoleZh } from '../../renderer/messages/zh.ts'
import { zhTw as consoleZhTw } from '../../renderer/messages/zh-tw.ts'
import { en as shared } from '../../shared/messages/en.ts'
import { fr as sharedFr } from '../../shared/messages/fr.ts'
import { ja as sharedJa } from '../../shared/messages/ja.ts'
import { type Locale, languageTag, localeOf, locales } from '../../shared/messages/locales.ts'
import { ru as sharedRu } from '../../shared/messages/ru.ts'
import { vi as sharedVi } from '../../shared/messages/vi.ts'
import { zh as sharedZh } from '../../shared/messages/zh.ts'
import { zhTw as sharedZhTw } from '../../shared/messages/zh-tw.ts'

type Texts = Readonly<Record<string, string>>

const english: Texts = { ...shared, ...console, ...desktop }
const texts: Readonly<Record<Locale, Texts>> = {
  en: english,
  zh: { ...sharedZh, ...consoleZh, ...desktopZh },
  'zh-TW': { ...sharedZhTw, ...consoleZhTw, ...desktopZhTw },
  ja: { ...sharedJa, ...consoleJa, ...desktopJa },
  fr: { ...sharedFr, ...consoleFr, ...desktopFr },
  ru: { ...sharedRu, ...consoleRu, ...desktopRu },
  vi: { ...sharedVi, ...consoleVi, ...desktopVi },
}

const placeholdersIn = (text: string) => [...new Set(text.match(/(?<=\{)\w+(?=\})/g) ?? [])].toSorted().join()
const choicesIn = (text: string) => [...text.matchAll(/\{(\w+)\|([^{}]*)\}/g)]

describe.each(locales)('the texts in %s', (locale) => {
  const keys = Object.keys(english)
  const own = texts[locale]

  it('are complete', () => {
    expect(Object.keys(own).toSorted()).toEqual(keys.toSorted())
    expect(keys.filter((key) => own[key]?.trim() === '')).toEqual([])
  })

  it('have the placeholders of the English ones', () => {
    expect(keys.filter((key) => placeholdersIn(own[key] ?? '') !== placeholdersIn(english[key] ?? ''))).toEqual([])
  })

  it('choose words by values of the text, with the plural categories of the language', () => {
    const rules = new Intl.PluralRules(languageTag(locale))
    const needed = [...new Set(Array.from({ length: 200 }, (_, n) => rules.select(n)))]
    for (const key of keys)
      for (const [choice, name = '', forms = ''] of choicesIn(own[key] ?? '')) {
        expect(placeholdersIn(english[key] ?? '').split(','), key).toContain(name)
        const named = forms.split('|').map((form) => form.split(':')[0])
        expect(named, `${key}: ${choice}`).toEqual(expect.arrayContaining(needed))
      }
  })
})

describe('the language for a tag', () => {
  it.each([
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans-HK', 'zh'],
    ['zh-SG', 'zh'],
    ['ZH-tw', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['en-GB', 'en'],
    ['ja-JP', 'ja'],
    ['fr-CA', 'fr'],
    ['ru-UA', 'ru'],
    ['vi', 'vi'],
    ['de-AT', 'en'],
    ['', 'en'],
    ['*', 'en'],
  ])('%s is %s', (tag, locale) => {
    expect(localeOf(tag)).toBe(locale)
  })
})
