import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import type { Locale } from '../../../shared/messages/locales.ts'
import { currentLocale, loadTexts } from '../../i18n.ts'
import { type SettingEntry, settingIndex } from './setting-index.ts'

const none: readonly SettingEntry[] = []

/**
 * The search index in English, Chinese and the user's language; empty until the texts have loaded, which needs
 * `isWanted`.
 */
export function useSettingIndex(isWanted = true): readonly SettingEntry[] {
  const locale = currentLocale()
  const { data = none } = useQuery({
    queryKey: ['setting-index', locale],
    queryFn: () => load(locale),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

async function load(locale: Locale): Promise<readonly SettingEntry[]> {
  const [english, chinese] = await Promise.all([
    import('../../../shared/messages/en/option.ts'),
    import('../../../shared/messages/zh/option.ts'),
    loadTexts(['option']),
  ])
  const own: Readonly<Record<string, string>> = i18next.getResourceBundle(locale, 'translation')
  return settingIndex([english.option, chinese.option, own])
}
