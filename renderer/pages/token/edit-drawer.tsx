import { Callout, FormGroup, Switch } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { TokenView } from '../../../shared/api/token.ts'
import { useStatus } from '../../api/status.ts'
import { useBodyStorageNote } from '../../api/use-bodies-note.ts'
import { ExpiryField } from '../../components/expiry-field.tsx'
import { NumberField } from '../../components/number-field/number-field.tsx'
import { Presets } from '../../components/presets/presets.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { sentences } from '../../components/sentences.ts'
import { Section } from '../../components/side-drawer/section.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { AccessFields } from './access-fields.tsx'
import { type Draft, type DraftProblems, draftOf, type FieldsProps, maxTokens, problemsOf } from './draft.ts'
import { LimitFields } from './limit-fields.tsx'
import { useSave } from './use-save.ts'

type TokenDrawerProps = Readonly<{ editing: TokenView | 'new' | undefined; onClose: () => void }>

/** Creates or edits tokens; closed while `editing` is undefined. */
export function TokenDrawer({ editing, onClose }: TokenDrawerProps) {
  return editing === undefined ? null : <OpenDrawer editing={editing} onClose={onClose} />
}

/** Remounted for each token, so that no draft leaks. */
function OpenDrawer({ editing, onClose }: { editing: TokenView | 'new'; onClose: () => void }) {
  const { t } = useTranslation()
  const { default_use_auto_group: isAutoGroup, self_use_mode_enabled: isSelfUse } = useStatus()
  const token = editing === 'new' ? undefined : editing
  const [first] = useState(() => draftOf(token, isAutoGroup ? 'auto' : '', isSelfUse))
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<DraftProblems>({})
  const { save, isBusy } = useSave(token, first, onClose)
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next })
    setProblems({})
  }
  const submit = () => {
    const found = problemsOf(draft)
    setProblems(found)
    if (Object.keys(found).length === 0) save(draft)
  }
  const title = token ? t('token.editTitle', { name: token.name }) : t('token.add')
  return (
    <SideDrawer
      title={title}
      verb={editing === 'new' ? t('token.create') : undefined}
      isBusy={isBusy}
      isDirty={draft !== first}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields draft={draft} problems={problems} onChange={change} isNew={!token} />
    </SideDrawer>
  )
}

function Fields({ draft, problems, onChange, isNew }: FieldsProps & { isNew: boolean }) {
  const { t } = useTranslation()
  const errorOf = (field: keyof Draft) => problems[field] && t(problems[field])
  return (
    <>
      <TextField
        label={t('label.name')}
        name="name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        onValue={(name) => onChange({ name })}
        error={errorOf('name')}
      />
      {isNew && <CountField value={draft.count} onValue={(count) => onChange({ count })} error={errorOf('count')} />}
      <Section title={t('token.section.limits')}>
        <ExpiryField value={draft.expiry} onValue={(expiry) => onChange({ expiry })} error={errorOf('expiry')} />
        <QuotaInput
          label={t('label.quota')}
          value={draft.quota}
          onValue={(quota) => onChange({ quota })}
          error={errorOf('quota')}
          isDisabled={draft.isUnlimited}
        />
        <Switch
          label={t('token.unlimited')}
          checked={draft.isUnlimited}
          onChange={(event) => onChange({ isUnlimited: event.currentTarget.checked })}
        />
        <Callout compact>{t('token.quotaHint')}</Callout>
      </Section>
      <Section title={t('token.section.access')}>
        <AccessFields draft={draft} problems={problems} onChange={onChange} />
      </Section>
      <LimitFields draft={draft} problems={problems} onChange={onChange} />
      <CacheField isOn={draft.isCached} onChange={(isCached) => onChange({ isCached })} />
      <BodiesField isOn={draft.storesBodies} onChange={(storesBodies) => onChange({ storesBodies })} />
    </>
  )
}

type BodiesFieldProps = Readonly<{ isOn: boolean; onChange: (isOn: boolean) => void }>

/** Whether the bodies of the token's calls are stored, and who could view them (docs/reference/bodies.md). */
function BodiesField({ isOn, onChange }: BodiesFieldProps) {
  const { t } = useTranslation()
  const note = useBodyStorageNote()
  const id = useId()
  const hint = <span id={id}>{sentences(t('token.bodiesHint'), note)}</span>
  return (
    <Section title={t('token.section.bodies')}>
      <FormGroup helperText={hint}>
        <Switch
          label={t('token.bodies')}
          checked={isOn}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-describedby={id}
        />
      </FormGroup>
    </Section>
  )
}

type CacheFieldProps = Readonly<{ isOn: boolean; onChange: (isOn: boolean) => void }>

/**
 * Whether identical requests of the token may get cached responses (docs/reference/cache.md). While the operator has
 * the cache off, it can only be switched off, and an explanation is shown.
 */
function CacheField({ isOn, onChange }: CacheFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const { response_cache_enabled: isOffered = false } = useStatus()
  return (
    <Section title={t('token.section.cache')}>
      <FormGroup helperText={<span id={id}>{t(isOffered ? 'token.cacheHint' : 'token.cacheOff')}</span>}>
        <Switch
          label={t('token.cache')}
          checked={isOn}
          disabled={!isOffered && !isOn}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-describedby={id}
        />
      </FormGroup>
    </Section>
  )
}

type CountFieldProps = Readonly<{
  value: number | undefined
  onValue: (value: number | undefined) => void
  error?: string | undefined
}>

/** How many tokens to create at once (docs/reference/screens.md#tokens). */
function CountField({ value, onValue, error }: CountFieldProps) {
  const { t } = useTranslation()
  return (
    <>
      <NumberField
        label={t('token.count')}
        value={value}
        onValue={onValue}
        min={1}
        max={maxTokens}
        hint={value !== undefined && value > 1 ? t('token.countHint') : undefined}
        error={error}
      />
      <Presets
        label={t('token.countPresets')}
        presets={usualCounts.map((count) => ({ text: String(count), value: () => count }))}
        onChoose={onValue}
      />
    </>
  )
}

const usualCounts = [10, 20, 30, 100] as const
