import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Cleanup, ledger } from '../../../shared/api/ledger.ts'
import { option } from '../../../shared/api/option.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { Form } from '../../components/form/form.tsx'
import { OptionField, optionRefusal } from '../../components/option-field/option-field.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { showSuccess } from '../../components/toasts.tsx'
import { useNumbers } from './numbers.ts'

const keys = ['LogRetentionDays', 'LogRetentionMegabytes', 'LedgerRetentionDays', 'LedgerRetentionMegabytes'] as const
type Key = (typeof keys)[number]
type Values = Readonly<Record<Key, string>>

type RetentionProps = Readonly<{ isCleaning: boolean; cleanup: Cleanup | null }>

/** How long details are kept, and the clean-up that follows from it. */
export function Retention({ isCleaning, cleanup }: RetentionProps) {
  const { t } = useTranslation()
  const { data, error } = useCall(option.list, {}, { quiet: true })
  const stored = data && valuesIn(data)
  return (
    <section className="ledger-section">
      <H2 className="ledger-heading">{t('ledger.retention')}</H2>
      <Card className="ledger-retention">
        <p className={Classes.TEXT_MUTED}>{t('ledger.retentionHint')}</p>
        {error && !data && <p role="alert">{error.message}</p>}
        {stored && <RetentionForm key={JSON.stringify(stored)} stored={stored} />}
        <CleanUp isCleaning={isCleaning} cleanup={cleanup} />
      </Card>
    </section>
  )
}

function RetentionForm({ stored }: { stored: Values }) {
  const { t } = useTranslation()
  const [typed, type] = useState(stored)
  const { mutateAsync, isPending } = useSend(option.update)
  const changed = keys.filter((key) => typed[key] !== stored[key])
  const isWrong = keys.some((key) => optionRefusal(key, typed[key]) !== undefined)
  const save = async () => {
    if (isWrong) return
    try {
      for (const key of changed) await mutateAsync({ query: {}, body: { key, value: typed[key] } })
      showSuccess(t('ledger.saved'))
    } catch {
      // The call has told why in a toast; what was saved before it stays.
    }
  }
  return (
    <Form
      className="ledger-form"
      isBusy={isPending || changed.length === 0}
      isDirty={changed.length > 0}
      onSubmit={() => void save()}
    >
      <div className="ledger-fields">
        {keys.map((key) => (
          <OptionField
            key={key}
            option={key}
            value={typed[key]}
            onValue={(value) => type({ ...typed, [key]: value })}
          />
        ))}
      </div>
      <Button
        type="submit"
        text={t('label.save')}
        disabled={changed.length === 0}
        loading={isPending}
        className="ledger-save"
      />
    </Form>
  )
}

function CleanUp({ isCleaning, cleanup }: RetentionProps) {
  const { t } = useTranslation()
  const number = useNumbers()
  const { mutate, isPending } = useSend(ledger.cleanUp)
  return (
    <div className="ledger-clean">
      <Button text={t('ledger.cleanUp')} loading={isPending || isCleaning} onClick={() => mutate({})} />
      <span className={Classes.TEXT_MUTED} role="status">
        {cleanup && (
          <>
            {t('ledger.cleaned', { logs: number(cleanup.logs), ledger: number(cleanup.ledger) })}{' '}
            <TimeText at={cleanup.ended_at} isShort />
          </>
        )}
      </span>
    </div>
  )
}

function valuesIn(list: readonly Readonly<{ key: string; value: string }>[]): Values {
  const stored = (key: Key) => list.find((one) => one.key === key)?.value ?? ''
  return {
    LogRetentionDays: stored('LogRetentionDays'),
    LogRetentionMegabytes: stored('LogRetentionMegabytes'),
    LedgerRetentionDays: stored('LedgerRetentionDays'),
    LedgerRetentionMegabytes: stored('LedgerRetentionMegabytes'),
  }
}
