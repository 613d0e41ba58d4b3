import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Cleanup, ledger } from '../../../shared/api/ledger.ts'
import { option } from '../../../shared/api/option.ts'
import { conflictsIn } from '../../api/option-conflicts.ts'
import { areaOf, useCall, useSend } from '../../api/use-call.ts'
import { Form } from '../../components/form/form.tsx'
import { OptionField, optionRefusal } from '../../components/option-field/option-field.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { useNumbers } from './numbers.ts'

const keys = ['LogRetentionDays', 'LogRetentionMegabytes', 'LedgerRetentionDays', 'LedgerRetentionMegabytes'] as const
type Key = (typeof keys)[number]
type Values = Readonly<Record<Key, string>>

type RetentionProps = Readonly<{ isCleaning: boolean; cleanup: Cleanup | null }>

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
        {stored && <RetentionForm stored={stored} />}
        {/* Waits for the fields above, which would push it down. */}
        {(stored || error) && <CleanUp isCleaning={isCleaning} cleanup={cleanup} />}
      </Card>
    </section>
  )
}

function RetentionForm({ stored }: { stored: Values }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<Partial<Values>>({})
  const { mutateAsync, isPending } = useSend(option.updateMany)
  const textOf = (key: Key) => typed[key] ?? stored[key]
  const changed = keys.filter((key) => textOf(key) !== stored[key])
  const problemOf = (key: Key) => {
    const refusal = optionRefusal(key, textOf(key))
    return refusal && t(refusal.key, refusal.params)
  }
  const isWrong = keys.some((key) => problemOf(key) !== undefined)
  const save = async () => {
    if (isWrong) return
    const changes = changed.map((key) => ({ key, value: textOf(key), base: stored[key] }))
    try {
      await mutateAsync({ query: {}, body: { changes } })
      // Otherwise the old value would flash.
      await queries.invalidateQueries({ queryKey: [areaOf(option.list)] })
      setTyped({})
      showSuccess(t('ledger.saved'))
    } catch (error) {
      // The call has shown the error in a toast. After a conflict, shows the newly stored values.
      if (conflictsIn(error).length > 0) await queries.invalidateQueries({ queryKey: [areaOf(option.list)] })
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
            value={textOf(key)}
            error={problemOf(key)}
            onValue={(value) => setTyped({ ...typed, [key]: value })}
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
