import { useMutation, useQueryClient } from '@tanstack/react-query'
import { token as calls, type TokenView } from '../../../shared/api/token.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { send } from '../../api/client.ts'
import { useSend } from '../../api/use-call.ts'
import { clearToasts, showSuccess, showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { batchNames, changeOf, type Draft, fieldsOf } from './draft.ts'

type Saving = Readonly<{ save: (draft: Draft) => void; isBusy: boolean }>

/** Creates or changes, then closes and reports it; on a refusal the drawer stays open with the input. */
export function useSave(token: TokenView | undefined, first: Draft, onClose: () => void): Saving {
  const { t } = useTranslation()
  const update = useSend(calls.update)
  const creation = useCreation(onClose)
  const finish = () => {
    onClose()
    showSuccess(t('update.ok'))
  }
  const save = (draft: Draft) => {
    if (!token) return creation.save(draft)
    update.mutate({ query: { status_only: false }, body: changeOf(token, draft, first) }, { onSuccess: finish })
  }
  return { save, isBusy: creation.isBusy || update.isPending }
}

/**
 * Creates tokens sequentially and stops at the first failure; reports those created so far
 * (docs/reference/screens.md#tokens).
 */
function useCreation(onClose: () => void): Saving {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: createAll,
    onMutate: clearToasts,
    onSettled: () => queries.invalidateQueries({ queryKey: ['token'] }),
    onSuccess: ({ made, total, reason }, draft) => {
      onClose()
      if (reason !== undefined) showWarning(t('token.createdSome', { n: made, total, reason }))
      else if (total > 1) showSuccess(t('token.createdMany', { n: made }))
      else showSuccess(t('token.created', { name: draft.name.trim() }))
    },
  })
  return { save: (draft) => mutate(draft), isBusy: isPending }
}

type Made = Readonly<{ made: number; total: number; reason: string | undefined }>

/** Creates the tokens of a draft; throws if the first one fails, so that the drawer stays open. */
async function createAll(draft: Draft): Promise<Made> {
  const fields = fieldsOf(draft)
  const names = batchNames(fields.name, draft.count ?? 1)
  const total = names.length
  for (const [made, name] of names.entries()) {
    try {
      await send(calls.create, { body: { ...fields, name } }, { quiet: made > 0 })
    } catch (error) {
      if (made === 0 || !(error instanceof CallFailure)) throw error
      return { made, total, reason: error.message }
    }
  }
  return { made: total, total, reason: undefined }
}
