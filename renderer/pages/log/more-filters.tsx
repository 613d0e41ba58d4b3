import { Button, Classes, FormGroup, InputGroup } from '@blueprintjs/core'
import { FilterList } from '@blueprintjs/icons'
import { type FormEvent, useId } from 'react'
import { Popover } from '../../components/popover/popover.tsx'
import { Select } from '../../components/select.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import { countMore, type LogFilter } from './log-filter.ts'

type MoreFiltersProps = Readonly<{
  typed: LogFilter
  set: (change: Partial<LogFilter>) => void
  isAdmin: boolean
  onSend: () => void
}>

/** Less common filters: behind a button with the number set; inline on a phone. */
export function MoreFilters(props: MoreFiltersProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  if (isNarrow) return <Fields {...props} />
  const send = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles the popover's submit to the form of the other filters.
    event.stopPropagation()
    props.onSend()
  }
  const count = countMore(props.typed)
  const text = count === 0 ? t('log.more') : t('log.moreCount', { n: count })
  return (
    <Popover
      placement="bottom-end"
      content={
        <form className="log-more-popover" onSubmit={send}>
          <Fields {...props} />
          <Button type="submit" className={Classes.POPOVER_DISMISS} intent="primary" text={t('label.query')} />
        </form>
      }
    >
      <Button icon={<FilterList />} text={text} active={count > 0} />
    </Popover>
  )
}

function Fields({ typed, set, isAdmin }: Omit<MoreFiltersProps, 'onSend'>) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <>
      <Choice
        label={t('log.streaming')}
        labels={[t('log.streamAny'), t('log.streamYes'), t('log.streamNo')]}
        value={typed.stream}
        onValue={(stream) => set({ stream })}
      />
      {isAdmin && (
        <Choice
          label={t('label.retry')}
          labels={[t('log.retriedAny'), t('log.retriedYes'), t('log.retriedNo')]}
          value={typed.retried}
          onValue={(retried) => set({ retried })}
        />
      )}
      {isAdmin && (
        <FormGroup label={t('log.failedOn')} labelFor={`${id}-failed`} helperText={t('log.failedOnHint')}>
          <InputGroup
            id={`${id}-failed`}
            inputMode="numeric"
            value={typed.failedOn === 0 ? '' : String(typed.failedOn)}
            autoComplete="off"
            onValueChange={(digits) => set({ failedOn: Number(digits.replace(/\D/g, '').slice(0, 15)) })}
          />
        </FormGroup>
      )}
      <FormGroup label={t('log.requestId')} labelFor={id} helperText={t('log.requestIdHint')}>
        <InputGroup
          id={id}
          value={typed.requestId}
          autoComplete="off"
          spellCheck={false}
          onValueChange={(requestId) => set({ requestId })}
        />
      </FormGroup>
    </>
  )
}

type ChoiceProps = Readonly<{
  label: string
  labels: readonly [string, string, string]
  value: boolean | undefined
  onValue: (value: boolean | undefined) => void
}>

function Choice({ label, labels: [either, yes, no], value, onValue }: ChoiceProps) {
  const id = useId()
  const options = [
    { value: '', label: either },
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ]
  return (
    <FormGroup label={label} labelFor={id}>
      <Select
        id={id}
        fill
        value={wordOf(value)}
        options={options}
        onChange={({ currentTarget }) =>
          onValue(currentTarget.value === '' ? undefined : currentTarget.value === 'yes')
        }
      />
    </FormGroup>
  )
}

function wordOf(value: boolean | undefined): string {
  if (value === undefined) return ''
  return value ? 'yes' : 'no'
}
