import { useMemo } from 'react'
import { option } from '../../../shared/api/option.ts'
import { isOptionKey, type OptionKey } from '../../../shared/options/index.ts'
import { areaOf, useCall } from '../../api/use-call.ts'

/** The stored values of all readable settings, as text; loaded once for all panels. */
export function useOptionValues() {
  const { data, error, refetch, dataUpdatedAt } = useCall(option.list, {}, { quiet: true })
  const values = useMemo(() => data && valuesIn(data), [data])
  return { values, error, refetch, dataUpdatedAt }
}

/** The query key of the stored values (`useCall`). */
export const optionsKey = [areaOf(option.list), option.list.path, {}] as const

const valuesIn = (list: readonly Readonly<{ key: string; value: string }>[]): ReadonlyMap<OptionKey, string> =>
  new Map(list.flatMap(({ key, value }) => (isOptionKey(key) ? [[key, value] as const] : [])))
