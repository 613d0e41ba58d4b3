import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useState } from 'react'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { useTranslation } from '../../translation.ts'
import { AddQuotaDialog } from './add-quota-dialog.tsx'

type QuotaFieldProps = Readonly<{
  name: string
  value: number | undefined
  onValue: (value: number | undefined) => void
  error?: string | undefined
}>

export function QuotaField({ name, value, onValue, error }: QuotaFieldProps) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <QuotaInput
        isPlain
        isSigned
        label={t('label.remainingQuota')}
        value={value}
        onValue={onValue}
        hint={t('user.quotaHint')}
        error={error}
      />
      <Button
        icon={<Plus />}
        text={t('user.addQuota')}
        disabled={value === undefined}
        onClick={() => setAdding(true)}
      />
      {isAdding && value !== undefined && (
        <AddQuotaDialog
          title={t('user.addQuotaTitle', { name })}
          old={value}
          onAdd={(amount) => onValue(value + amount)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
