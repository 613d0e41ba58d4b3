import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type OptionChangeView, optionHistory } from '../../../../shared/api/option-history.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { type Page, usePage } from '../../../api/use-page.ts'

/** The changes of one setting, or of all (''), newest first. */
export const useHistory = (option: string): Page<OptionChangeView> =>
  usePage(optionHistory.list, option, async ({ filter, index, size, manner }) => {
    const { items, total } = await send(
      optionHistory.list,
      { query: { key: filter, p: index + 1, page_size: size } },
      manner,
    )
    return { rows: items, total }
  })

/** A change with full values; the list truncates long ones. */
export const useWholeChange = (change: OptionChangeView): UseQueryResult<OptionChangeView> => {
  const { id, is_cut: isCut } = change
  return useQuery({
    queryKey: [areaOf(optionHistory.one), optionHistory.one.path, id],
    queryFn: ({ signal }) => send(optionHistory.one, { params: { id } }, { quiet: true, signal }),
    enabled: isCut,
    ...(!isCut && { initialData: change }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
