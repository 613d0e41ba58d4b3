import { Button, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import type { UserView } from '../../../shared/api/user.ts'
import { userAdmin } from '../../../shared/api/user-admin.ts'
import { useCall } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { Count, groupDigits } from '../../components/count.tsx'
import { useGroupName } from '../../components/group-name.ts'
import { useTranslation } from '../../translation.ts'

type UserDialogProps = Readonly<{ id: number; name: string; onClose: () => void }>

/** A user's account, for administrators (docs/reference/screens.md#usage-log). */
export function UserDialog({ id, name, onClose }: UserDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog className="fits-window" isOpen onClose={onClose} title={name} isCloseButtonShown={false}>
      <DialogBody>
        <Account id={id} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

function Account({ id }: { id: number }) {
  const { t } = useTranslation()
  const { data, error } = useCall(userAdmin.one, { params: { id } }, { quiet: true })
  if (error && !data) return <p role="alert">{error.message}</p>
  return data ? <Facts user={data} /> : <Spinner size={24} aria-label={t('state.loading')} />
}

function Facts({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const nameOf = useGroupName()
  const amount = (quota: number) => <span title={t('quota.exact', { n: groupDigits(quota) })}>{format(quota)}</span>
  return (
    <dl className="log-user">
      <dt>{t('label.group')}</dt>
      <dd>{nameOf(user.group)}</dd>
      <dt>{t('label.remainingQuota')}</dt>
      <dd className="tabular">{amount(user.quota)}</dd>
      <dt>{t('label.usedQuota')}</dt>
      <dd className="tabular">{amount(user.used_quota)}</dd>
      <dt>{t('label.requestCount')}</dt>
      <dd className="tabular">
        <Count of={user.request_count} />
      </dd>
    </dl>
  )
}
