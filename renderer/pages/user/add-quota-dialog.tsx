import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { MAX_QUOTA } from '../../../shared/api/fields.ts'
import { Form } from '../../components/form/form.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { signed, useAmountUnit } from '../../components/quota-input/use-amount-unit.ts'
import { useTranslation } from '../../translation.ts'

type AddQuotaDialogProps = Readonly<{
  title: string
  /** The balance, for the preview of the sum; undefined for several accounts. */
  old?: number
  onAdd: (amount: number) => void
  onClose: () => void
}>

/** An amount to add to a balance, or to subtract from it. */
export function AddQuotaDialog({ title, old, onAdd, onClose }: AddQuotaDialogProps) {
  const { t } = useTranslation()
  const { unit } = useAmountUnit()
  const { name: write } = signed(unit)
  const [amount, setAmount] = useState<number>()
  const [isChecked, setChecked] = useState(false)
  const sum = (old ?? 0) + (amount ?? 0)
  const isRight = amount !== undefined && Math.abs(sum) <= MAX_QUOTA
  const change = (next: number | undefined) => {
    setAmount(next)
    setChecked(false)
  }
  const submit = () => {
    setChecked(true)
    if (!isRight) return
    onAdd(amount)
    onClose()
  }
  return (
    <Dialog className="fits-window" title={title} isCloseButtonShown={false} isOpen onClose={onClose}>
      <Form isDirty={amount !== undefined} onSubmit={submit}>
        <DialogBody>
          <QuotaInput
            isSigned
            label={t('user.amount')}
            value={amount}
            onValue={change}
            hint={t('user.amountHint')}
            error={isChecked && !isRight ? t('option.bad_number') : undefined}
          />
          {old !== undefined && (
            <p className="user-sum tabular" role="status">
              {t('user.sum', { old: write(old), add: write(amount ?? 0), sum: write(sum) })}
            </p>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('label.add')} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
