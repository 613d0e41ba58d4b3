import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ManagedUser, type UserAction, userAdmin } from '../../../shared/api/user-admin.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import type { PageRows } from '../../api/use-page.ts'
import { clearToasts, showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

type RequestedAction = Readonly<{ id: number; action: UserAction }>

/**
 * Performs an action on an account and updates the row's status and role from the response. A refusal may be due to a
 * concurrent change, so the list is reloaded either way.
 */
export function useManage(): Readonly<{
  manage: (request: RequestedAction, onSettled?: () => void) => void
  isBusy: boolean
}> {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const area = areaOf(userAdmin.manage)
  const { mutate, isPending } = useMutation({
    mutationFn: (body: RequestedAction) => send(userAdmin.manage, { body }),
    onMutate: clearToasts,
    onSuccess: (answer, { id }) => {
      queries.setQueriesData<PageRows<ManagedUser>>({ queryKey: [area, userAdmin.list.path] }, (page) =>
        page?.rows ? { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...answer } : row)) } : page,
      )
      showSuccess(t('op.ok'))
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: [area] }),
  })
  return { manage: (request, onSettled) => mutate(request, onSettled ? { onSettled } : {}), isBusy: isPending }
}
