import { Classes, FormGroup, Switch, TextArea } from '@blueprintjs/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { PasswordField } from '../../../components/text-field/password-field.tsx'
import type { FieldsProps } from './fields.ts'
import { keyCount } from './fields-of.ts'

type KeyFieldProps = FieldsProps & Readonly<{ isNew: boolean }>

/** The vendor's key: one line, many lines for many channels, or a service account (spec/console.md §8.8). */
export function KeyField({ draft, told, onChange, isNew }: KeyFieldProps) {
  const { t } = useTranslation()
  const format = channelTypeById(draft.type)?.keyFormat ?? 'secret'
  const hint = useKeyHint(draft, isNew)
  const hasLines = format === 'service-account-json'
  return (
    <>
      {draft.isBatch || hasLines ? (
        <KeyArea draft={draft} told={told} onChange={onChange} hint={hint} />
      ) : (
        <PasswordField
          label={t('label.key')}
          name="key"
          autoComplete="new-password"
          value={draft.key}
          onValue={(key) => onChange({ key })}
          error={told('key')}
          hint={hint}
        />
      )}
      {isNew && !hasLines && (
        <Switch
          className="channel-switch"
          label={t('channel.batchKeys')}
          checked={draft.isBatch}
          onChange={(event) => onChange({ isBatch: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

/** What a key of the type looks like, or how many channels the lines make. */
function useKeyHint(draft: FieldsProps['draft'], isNew: boolean): string {
  const { t } = useTranslation()
  const format = channelTypeById(draft.type)?.keyFormat ?? 'secret'
  if (draft.isBatch && keyCount(draft) > 0) return t('channel.keyCount', { n: keyCount(draft) })
  const keep = isNew ? '' : `${t('channel.keyKeep')} `
  if (format === 'service-account-json') return keep + t('channel.keyJson')
  return format === 'secret' ? keep.trim() : keep + t('channel.keyFormat', { format })
}

/** A key that has lines: it cannot be hidden, so it is only there while it is typed. */
function KeyArea({ draft, told, onChange, hint }: FieldsProps & Readonly<{ hint: string }>) {
  const { t } = useTranslation()
  const id = useId()
  const error = told('key')
  const note = error ?? hint
  return (
    <FormGroup
      label={t('label.key')}
      labelFor={id}
      intent={error ? 'danger' : 'none'}
      helperText={note && <span id={`${id}-note`}>{note}</span>}
    >
      <TextArea
        id={id}
        name="key"
        fill
        rows={5}
        className={Classes.MONOSPACE_TEXT}
        spellCheck={false}
        autoComplete="off"
        placeholder={draft.isBatch ? t('channel.keyLines') : ''}
        intent={error ? 'danger' : 'none'}
        value={draft.key}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
        aria-invalid={error !== undefined}
        aria-describedby={note && `${id}-note`}
      />
    </FormGroup>
  )
}
