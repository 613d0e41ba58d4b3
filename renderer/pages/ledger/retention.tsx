import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Cleanup, ledger } from '../../../shared/api/ledger.ts'
import { option } from '../../../shared/api/option.ts'
import { decodeOption, labelOf, rangeOf } from '../../../shared/options/index.ts'
import { OptionRefusal } from '../../../shared/options/wire.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { TextField } from '../../components/text-field/text-field.tsx'
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
        {error && <p role="alert">{error.message}</p>}
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
  const errors = keys.map((key) => ({ key, refusal: refusalOf(key, typed[key]) }))
  const changed = keys.filter((key) => typed[key] !== stored[key])
  const isWrong = errors.some(({ refusal }) => refusal !== undefined)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      for (const key of changed) await mutateAsync({ query: {}, body: { key, value: typed[key] } })
      showSuccess(t('ledger.saved'))
    } catch {
      // The call has told why in a toast; what was saved before it stays.
    }
  }
  const range = (key: Key) => {
    const found = rangeOf(key)
    return found ? t(found.key, found.params) : ''
  }
  return (
    <form className="ledger-form" onSubmit={(event) => void save(event)} noValidate>
      <div className="ledger-fields">
        {errors.map(({ key, refusal }) => (
          <TextField
            key={key}
            label={t(labelOf(key))}
            name={key}
            value={typed[key]}
            inputMode="numeric"
            autoComplete="off"
            onValue={(value) => type({ ...typed, [key]: value.trim() })}
            error={refusal && t(refusal.key, refusal.params)}
            hint={[t(`option.hint.${key}`), range(key)].join(' ')}
          />
        ))}
      </div>
      <Button
        type="submit"
        text={t('label.save')}
        disabled={changed.length === 0 || isWrong}
        loading={isPending}
        className="ledger-save"
      />
    </form>
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

function refusalOf(key: Key, value: string): OptionRefusal | undefined {
  try {
    decodeOption(key, value)
    return undefined
  } catch (error) {
    if (error instanceof OptionRefusal) return error
    throw error
  }
}
