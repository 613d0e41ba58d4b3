import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { randomId } from '../../api/random-id.ts'
import { useSend } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { showUndoable } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

type Balance = Pick<ManagedUser, 'id' | 'username' | 'quota'>

/** Sets an account's balance to `sum` at once, sent as a difference to the shown balance; the toast can undo it. */
export function useAddQuota(): (user: Balance, sum: number) => void {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { mutate } = useSend(userAdmin.update)
  const move = ({ id, username, quota }: Balance, sum: number) => {
    const undo = () => move({ id, username, quota: sum }, quota)
    const message = t('user.quotaMoved', { name: username, amount: format(sum) })
    const body = { id, quota: sum, quota_base: quota, idempotency_key: randomId() }
    mutate({ body }, { onSuccess: () => showUndoable(message, undo) })
  }
  return move
}
