import { Button, Callout, Card, Classes, FormGroup, H2, Switch, TextArea } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { type ShareView, share } from '../../../shared/api/share.ts'
import { useSend } from '../../api/use-call.ts'
import { Form } from '../../components/form/form.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

type Fields = Readonly<{
  address: string
  port: string
  isEncrypted: boolean
  announces: boolean
  name: string
  registration: boolean
  allowed: string
  blocked: string
}>

/** Sharing settings: interfaces, name, encryption, and allowed devices. Untouched fields follow the gateway. */
export function SettingsForm({ view }: { view: ShareView }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(share.change)
  const [draft, setDraft] = useState<Partial<Fields>>({})
  const [isTried, setTried] = useState(false)
  const fields: Fields = { ...fieldsOf(view), ...draft }
  const change = (more: Partial<Fields>) => setDraft({ ...draft, ...more })
  const isDirty = Object.keys(draft).length > 0
  const wrong = { port: !isPort(fields.port), name: !NAME.test(fields.name) }
  const reset = () => {
    setDraft({})
    setTried(false)
  }
  const done = () => {
    reset()
    showSuccess(t('sharing.saved'))
  }
  const save = () => {
    setTried(true)
    if (wrong.port || wrong.name) return
    mutate({ body: settingsOf(fields) }, { onSuccess: done })
  }
  return (
    <Card className="share-part">
      <H2 className="share-title">{t('sharing.settings')}</H2>
      <Form className="share-form" isBusy={isPending} isDirty={isDirty} onSubmit={save}>
        <AddressFields view={view} fields={fields} onChange={change} wrong={isTried && wrong.port} />
        <Manner fields={fields} onChange={change} wrong={isTried && wrong.name} />
        <Lines
          label={t('sharing.allowed')}
          hint={t('sharing.allowedHint')}
          value={fields.allowed}
          onValue={(allowed) => change({ allowed })}
        />
        {fields.allowed.trim() === '' && <Callout intent="warning">{t('sharing.everybody')}</Callout>}
        <Lines
          label={t('sharing.blocked')}
          hint={t('sharing.blockedHint')}
          value={fields.blocked}
          onValue={(blocked) => change({ blocked })}
        />
        <div className="share-acts">
          <Button type="submit" intent="primary" text={t('label.save')} loading={isPending} disabled={!isDirty} />
          {isDirty && <Button text={t('sharing.discard')} disabled={isPending} onClick={reset} />}
        </div>
      </Form>
    </Card>
  )
}

const fieldsOf = ({ settings }: ShareView): Fields => ({
  address: settings.address,
  port: settings.port === 0 ? '' : String(settings.port),
  isEncrypted: settings.is_encrypted,
  announces: settings.announces,
  name: settings.name,
  registration: settings.registration,
  allowed: settings.allowed.join('\n'),
  blocked: settings.blocked.join('\n'),
})

const settingsOf = ({ port, isEncrypted, allowed, blocked, ...same }: Fields) => ({
  ...same,
  port: Number(port.trim()),
  is_encrypted: isEncrypted,
  allowed: linesOf(allowed),
  blocked: linesOf(blocked),
})

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,，;]+/)
    .map((line) => line.trim())
    .filter(Boolean)

const isPort = (text: string): boolean =>
  text.trim() === '' || (/^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535)

const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

type PartProps = Readonly<{ fields: Fields; onChange: (more: Partial<Fields>) => void; wrong: boolean }>

function AddressFields({ view, fields, onChange, wrong }: PartProps & Readonly<{ view: ShareView }>) {
  const { t } = useTranslation()
  const id = useId()
  const offered = view.interfaces.filter(({ kind }) => kind !== 'loopback')
  const options = [
    { value: '', label: t('sharing.everyInterface') },
    ...offered.map(({ name, address }) => ({ value: address, label: `${address} (${name})` })),
  ]
  const isKnown = options.some(({ value }) => value === fields.address)
  return (
    <>
      <FormGroup label={t('sharing.interface')} labelFor={id}>
        <Select
          id={id}
          fill
          value={fields.address}
          options={isKnown ? options : [...options, { value: fields.address, label: fields.address }]}
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
      </FormGroup>
      <TextField
        label={t('sharing.port')}
        inputMode="numeric"
        autoComplete="off"
        value={fields.port}
        onValue={(port) => onChange({ port })}
        error={wrong ? t('sharing.portWrong') : undefined}
        hint={t('sharing.portHint')}
      />
    </>
  )
}

function Manner({ fields, onChange, wrong }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <Switch
        label={t('sharing.encrypt')}
        checked={fields.isEncrypted}
        onChange={(event) => onChange({ isEncrypted: event.currentTarget.checked })}
      />
      {!fields.isEncrypted && <Callout intent="danger">{t('sharing.plainWarning')}</Callout>}
      <Switch
        label={t('sharing.announce')}
        checked={fields.announces}
        onChange={(event) => onChange({ announces: event.currentTarget.checked })}
      />
      {fields.announces && (
        <TextField
          label={t('sharing.name')}
          autoComplete="off"
          value={fields.name}
          onValue={(name) => onChange({ name })}
          error={wrong ? t('sharing.nameWrong') : undefined}
          hint={t('sharing.nameHint', { name: fields.name.toLowerCase() || '…' })}
        />
      )}
      <Switch
        label={t('sharing.registration')}
        checked={fields.registration}
        onChange={(event) => onChange({ registration: event.currentTarget.checked })}
      />
    </>
  )
}

type LinesProps = Readonly<{ label: string; hint: string; value: string; onValue: (value: string) => void }>

function Lines({ label, hint, value, onValue }: LinesProps) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={<span id={`${id}-note`}>{hint}</span>}>
      <TextArea
        id={id}
        fill
        rows={4}
        className={Classes.MONOSPACE_TEXT}
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}
