import { Button, Card, FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { Form } from '../../../components/form/form.tsx'
import { Select } from '../../../components/select.tsx'
import { useTranslation } from '../../../translation.ts'
import { ChannelChange } from './channel-change.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import {
  type ChangedChannel,
  isSound,
  MAX_CHANGED,
  MAX_RETRIES,
  spans,
  unchangedChannel,
  type WhatIfDraft,
} from './draft.ts'

type ChangeFormProps = Readonly<{
  draft: WhatIfDraft
  onChange: (draft: WhatIfDraft) => void
  isRunning: boolean
  onAsk: () => void
  onCancel: () => void
}>

/** Which requests, and what would be different for them. */
export function ChangeForm({ draft, onChange, isRunning, onAsk, onCancel }: ChangeFormProps) {
  const { t } = useTranslation()
  const { channels } = draft
  const put = (next: ChangedChannel) =>
    onChange({ ...draft, channels: channels.map((one) => (one.id === next.id ? next : one)) })
  const remove = (id: number) => onChange({ ...draft, channels: channels.filter((one) => one.id !== id) })
  const submit = () => {
    if (isSound(draft) && !isRunning) onAsk()
  }
  return (
    <Card>
      <Form className="what-if-form" onSubmit={submit}>
        <div className="what-if-fields">
          <Span draft={draft} onChange={onChange} />
          <Retries draft={draft} onChange={onChange} />
          <ChannelPicker
            chosen={channels.map(({ id }) => id)}
            isFull={channels.length >= MAX_CHANGED}
            onChoose={(channel) => onChange({ ...draft, channels: [...channels, unchangedChannel(channel)] })}
          />
        </div>
        {channels.length > 0 && (
          <ul className="what-if-changes" aria-label={t('whatIf.changes')}>
            {channels.map((channel) => (
              <li key={channel.id}>
                <ChannelChange channel={channel} onChange={put} onRemove={() => remove(channel.id)} />
              </li>
            ))}
          </ul>
        )}
        <div className="what-if-buttons">
          {isRunning && <Button text={t('label.cancel')} onClick={onCancel} />}
          <Button
            type="submit"
            intent="primary"
            text={t('whatIf.ask')}
            loading={isRunning}
            disabled={!isSound(draft)}
          />
        </div>
      </Form>
    </Card>
  )
}

type PartProps = Pick<ChangeFormProps, 'draft' | 'onChange'>

function Span({ draft, onChange }: PartProps) {
  const { t } = useTranslation()
  const id = useId()
  const options = spans.map((hours) => ({
    value: String(hours),
    label: hours === 1 ? t('whatIf.lastHour') : t('whatIf.lastHours', { n: hours }),
  }))
  return (
    <FormGroup label={t('whatIf.span')} labelFor={id}>
      <Select
        id={id}
        fill
        value={String(draft.hours)}
        options={options}
        onChange={(event) => onChange({ ...draft, hours: Number(event.currentTarget.value) })}
      />
    </FormGroup>
  )
}

function Retries({ draft, onChange }: PartProps) {
  const { t } = useTranslation()
  const id = useId()
  const numbers = Array.from({ length: MAX_RETRIES + 1 }, (_, n) => ({ value: String(n), label: String(n) }))
  return (
    <FormGroup label={t('whatIf.retries')} labelFor={id}>
      <Select
        id={id}
        fill
        value={draft.retryTimes === undefined ? '' : String(draft.retryTimes)}
        options={[{ value: '', label: t('whatIf.asNow') }, ...numbers]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...draft, retryTimes: value === '' ? undefined : Number(value) })
        }
      />
    </FormGroup>
  )
}
