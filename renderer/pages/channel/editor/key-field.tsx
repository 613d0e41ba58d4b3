import { Button, Classes, FormGroup, Radio, RadioGroup, Switch, TextArea } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { useCall } from '../../../api/use-call.ts'
import { PasswordField } from '../../../components/text-field/password-field.tsx'
import { type Translate, useTranslation } from '../../../translation.ts'
import { KeysDialog } from '../keys/keys-dialog.tsx'
import type { Draft } from './draft.ts'
import type { FieldsProps } from './fields.ts'
import { keyCount } from './fields-of.ts'

type KeyFieldProps = FieldsProps &
  Readonly<{
    /** Undefined for a new channel. */
    channel: ChannelView | undefined
  }>

/** The key field of a new or existing channel (docs/reference/screens.md#channel-editor). */
export const KeyField = ({ channel, ...fields }: KeyFieldProps) =>
  channel ? <StoredKey {...fields} channel={channel} /> : <NewKey {...fields} />

/** One key, or several with one per line, either for one channel each or for one channel with all. */
function NewKey(fields: FieldsProps) {
  const { t } = useTranslation()
  const { draft, onChange } = fields
  const hasLines = isJson(draft)
  const isSeveral = draft.keyMode !== 'single'
  const n = keyCount(draft)
  const made = draft.keyMode === 'pool' ? t('keys.poolCount', { n }) : t('channel.keyCount', { n })
  return (
    <>
      <KeyBox {...fields} isArea={isSeveral || hasLines} hint={isSeveral && n > 0 ? made : formatHint(draft, t)} />
      {!hasLines && (
        <Switch
          className="channel-switch"
          label={t('keys.several')}
          checked={isSeveral}
          onChange={(event) => onChange({ keyMode: event.currentTarget.checked ? 'split' : 'single' })}
        />
      )}
      {n > 1 && <KeyUse {...fields} />}
    </>
  )
}

/** Empty leaves the stored keys unchanged; their list opens over the form, which follows changes made there. */
function StoredKey({ channel, ...fields }: FieldsProps & Readonly<{ channel: ChannelView }>) {
  const { t } = useTranslation()
  const { data = channel } = useCall(calls.one, { params: { id: channel.id } }, { quiet: true })
  const n = data.key_count
  const hint = n > 1 ? t('keys.poolKeep', { n }) : `${t('channel.keyKeep')} ${formatHint(fields.draft, t)}`.trim()
  return (
    <>
      <KeyBox {...fields} isArea={n > 1 || isJson(fields.draft)} hint={hint} />
      <KeysButton channel={data} />
    </>
  )
}

const isJson = ({ type }: Draft): boolean => channelTypeById(type)?.keyFormat === 'service-account-json'

function formatHint({ type }: Draft, t: Translate): string {
  const format = channelTypeById(type)?.keyFormat ?? 'secret'
  if (format === 'service-account-json') return t('channel.keyJson')
  return format === 'secret' ? '' : t('channel.keyFormat', { format })
}

type KeyBoxProps = FieldsProps & Readonly<{ isArea: boolean; hint: string }>

/** Single-line keys are hidden. */
function KeyBox({ isArea, hint, ...fields }: KeyBoxProps) {
  const { t } = useTranslation()
  if (isArea) return <KeyArea {...fields} hint={hint} />
  const { draft, errorOf, onChange } = fields
  return (
    <PasswordField
      label={t('label.key')}
      name="key"
      autoComplete="new-password"
      value={draft.key}
      onValue={(key) => onChange({ key })}
      error={errorOf('key')}
      hint={hint}
    />
  )
}

function KeysButton({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        className="channel-keys"
        size="small"
        variant="outlined"
        icon={<Key />}
        text={t('keys.menu')}
        onClick={() => setOpen(true)}
      />
      {isOpen && <KeysDialog channel={channel} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Multi-line keys cannot be hidden while they are typed. */
function KeyArea({ draft, errorOf, onChange, hint }: FieldsProps & Readonly<{ hint: string }>) {
  const { t } = useTranslation()
  const id = useId()
  const error = errorOf('key')
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
        placeholder={isJson(draft) ? '' : t('channel.keyLines')}
        intent={error ? 'danger' : 'none'}
        value={draft.key}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
        aria-invalid={error !== undefined}
        aria-describedby={note && `${id}-note`}
      />
    </FormGroup>
  )
}

/** What to do with several keys: one channel each, or one channel with all. */
function KeyUse({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <RadioGroup
      className="channel-key-use"
      label={t('keys.use')}
      selectedValue={draft.keyMode === 'pool' ? 'pool' : 'split'}
      onChange={(event) => onChange({ keyMode: event.currentTarget.value === 'pool' ? 'pool' : 'split' })}
    >
      {uses.map((use) => (
        <Radio
          key={use}
          value={use}
          labelElement={
            <>
              {t(`keys.${use}`)} <span className={Classes.TEXT_MUTED}>{t(`keys.${use}Hint`)}</span>
            </>
          }
        />
      ))}
    </RadioGroup>
  )
}

const uses = ['split', 'pool'] as const
