import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { manageFocus } from '../../api/focus-management.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { Form } from '../../components/form/form.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

manageFocus()

type TransferDialogProps = Readonly<{
  /** Earnings not yet transferred, in quota. */
  available: number
  onClose: () => void
}>

/** Transfers earnings to the balance: all by default, at least one US dollar. Mount it to open it. */
export function TransferDialog({ available, onClose }: TransferDialogProps) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { quota_per_unit: min } = useStatus()
  const [amount, setAmount] = useState<number | undefined>(available)
  const [isChecked, setChecked] = useState(false)
  const { mutate, isPending } = useSend(ownAccount.transfer)
  const problem = problemOf(amount)
  const submit = () => {
    setChecked(true)
    if (amount === undefined || problem) return
    const onSuccess = () => {
      showSuccess(t('aff.ok'))
      onClose()
    }
    mutate({ body: { quota: amount } }, { onSuccess })
  }
  function problemOf(quota = 0): string | undefined {
    if (quota < min) return t('aff.min_form', { amount: format(min) })
    return quota > available ? t('aff.short') : undefined
  }
  return (
    <Dialog
      className="fits-window"
      title={t('personal.transfer')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isPending && onClose()}
    >
      <Form isBusy={isPending} onSubmit={submit}>
        <DialogBody>
          <QuotaInput
            label={t('personal.transferAmount')}
            hint={t('personal.transferAvailable', { amount: format(available), min: format(min) })}
            isPlain
            value={amount}
            onValue={(quota) => {
              setAmount(quota)
              setChecked(false)
            }}
            error={isChecked ? problem : undefined}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isPending} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('personal.transferVerb')} loading={isPending} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
