import { useQuery } from '@tanstack/react-query'
import { type SettingEntry, settingIndex } from './setting-index.ts'

const none: readonly SettingEntry[] = []

/** The search index in English and Chinese; empty until the texts have loaded, or unless `isWanted`. */
export function useSettingIndex(isWanted = true): readonly SettingEntry[] {
  const { data = none } = useQuery({
    queryKey: ['setting-index'],
    queryFn: load,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

async function load(): Promise<readonly SettingEntry[]> {
  const [english, chinese] = await Promise.all([
    import('../../../shared/messages/en/option.ts'),
    import('../../../shared/messages/zh/option.ts'),
  ])
  return settingIndex([english.option, chinese.option])
}
