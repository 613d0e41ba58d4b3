import './channel-drawer.css'
import { Button, FormGroup } from '@blueprintjs/core'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import {
  type ApiFormatChoice,
  apiFormatChoice,
  apiFormatChoices,
  hasApiFormats,
} from '../../../../shared/api-format.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { useSend } from '../../../api/use-call.ts'
import { Select } from '../../../components/select.tsx'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess, showWarning } from '../../../components/toasts.ts'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { AddressConfirmation } from './address-confirmation.tsx'
import { type Draft, draftOf, newDraft } from './draft.ts'
import type { FieldsProps } from './fields.ts'
import { JsonColumn } from './json-column.tsx'
import { editableObject } from './json-members.ts'
import type { JsonRule } from './json-rules.ts'
import { ModelsField } from './models-field.tsx'
import { type DraftProblems, problemsOf } from './problems.ts'
import { ProxyField } from './proxy-field.tsx'
import { RoutingFields } from './routing-fields.tsx'
import { useKnownModels } from './use-known-models.ts'
import { useSave } from './use-save.ts'
import { presetForms } from './variants.ts'
import { VendorFields } from './vendor-fields.tsx'

type ChannelDrawerProps = Readonly<{
  /** Undefined for a new channel. */
  channel?: ChannelView
  onClose: () => void
}>

/** Creates or edits a channel (docs/reference/screens.md#channel-editor). */
export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation()
  const [initial] = useState(() => draftOf(channel))
  const [draft, setDraft] = useState(initial)
  const [problems, setProblems] = useState<DraftProblems>({})
  const [isConfirming, setConfirming] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const { save, isBusy } = useSave(channel, initial, () => setSaved(true))
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    // Leaves here rather than in `useSave`, because the guard of unsaved input is off only after this render.
    if (isSaved) leave()
  }, [isSaved])
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setProblems({})
  }
  const submit = () => {
    const found = problemsOf(draft, channel && initial)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    if (isChanged(draft, initial) && channelAddress({ type: draft.type, base_url: draft.baseUrl }).flaw)
      setConfirming(true)
    else save(draft, false)
  }
  const title = channel ? t('channel.editTitle', { name: channel.name }) : t('channel.add')
  const errorOf = (field: keyof Draft) => problems[field] && t(problems[field])
  const answer = (isMended: boolean) => {
    setConfirming(false)
    save(draft, isMended)
  }
  return (
    <SideDrawer
      title={title}
      width="640px"
      isBusy={isBusy}
      isDirty={draft !== initial && !isSaved}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields draft={draft} errorOf={errorOf} onChange={change} channel={channel} />
      {isConfirming && <AddressConfirmation draft={draft} onAnswer={answer} onCancel={() => setConfirming(false)} />}
    </SideDrawer>
  )
}

/**
 * Whether the address, or the type that decides its required parts, was edited; an unedited address is not questioned.
 */
const isChanged = (draft: Draft, initial: Draft): boolean =>
  draft.type !== initial.type || draft.baseUrl !== initial.baseUrl

function Fields({ channel, ...fields }: FieldsProps & Readonly<{ channel: ChannelView | undefined }>) {
  const { t } = useTranslation()
  const { draft, errorOf, onChange } = fields
  const known = useKnownModels()
  const isPreset = (type: number) => presetForms.has(channelTypeById(type)?.form ?? 'plain')
  const choose = (type: number) => {
    const isUntouched = draft.models.length === 0 || draft.models.join() === known.usual(draft.type).join()
    const start = isPreset(type) ? known.usual(type) : []
    onChange({ type, ...(isUntouched ? { models: start } : {}) })
  }
  const section = (name: SectionName) => ({
    title: t(`channel.section.${name}`),
    changed: name === 'vendor' || name === 'models' ? 0 : changedIn(name, draft),
    hasProblem: sectionFields[name].some((field) => errorOf(field) !== undefined),
  })
  return (
    <>
      <FoldSection {...section('vendor')} isOpenAtFirst>
        <VendorFields {...fields} channel={channel} onType={choose} />
      </FoldSection>
      <FoldSection {...section('models')} isOpenAtFirst>
        <ModelsField
          models={draft.models}
          onModels={(models) => onChange({ models })}
          known={known}
          type={draft.type}
          error={errorOf('models')}
          more={<FetchModels draft={draft} onChange={onChange} channel={channel} />}
        />
        <DraftColumn {...fields} rule="modelMapping" />
        <TextField
          label={t('channel.testModelLabel')}
          name="test_model"
          autoComplete="off"
          value={draft.testModel}
          onValue={(testModel) => onChange({ testModel })}
          hint={t('channel.testModelHint')}
        />
      </FoldSection>
      <FoldSection {...section('routing')}>
        <RoutingFields {...fields} />
      </FoldSection>
      <FoldSection {...section('requests')}>
        <RequestFields {...fields} channel={channel} />
      </FoldSection>
      <FoldSection {...section('settings')}>
        <DraftColumn {...fields} rule="setting" />
      </FoldSection>
    </>
  )
}

const sectionFields = {
  vendor: ['type', 'name', 'key', 'organization', 'baseUrl', 'other'],
  models: ['models', 'modelMapping', 'testModel'],
  routing: ['groups', 'tag', 'priority', 'weight', 'maxInputTokens', 'autoBan'],
  requests: ['apiFormat', 'proxy', 'statusMapping', 'paramOverride'],
  settings: ['setting'],
} as const satisfies Record<string, readonly (keyof Draft)[]>
type SectionName = keyof typeof sectionFields

/**
 * Number of fields in a section that differ from a new channel; for the section `settings`, the number of members in
 * its JSON.
 */
function changedIn(section: SectionName, draft: Draft): number {
  if (section === 'settings') return Object.keys(editableObject(draft.setting) ?? { unreadable: true }).length
  return sectionFields[section].filter((field) => String(draft[field]) !== String(newDraft[field])).length
}

/**
 * How requests are changed: format, proxy and rules (docs/reference/channels.md#fields,
 * docs/reference/selection.md#status-code-mapping).
 */
function RequestFields({ channel, ...fields }: FieldsProps & Readonly<{ channel: ChannelView | undefined }>) {
  return (
    <>
      {hasApiFormats(fields.draft.type) && <ApiFormatField {...fields} />}
      <ProxyField {...fields} channel={channel} />
      <DraftColumn {...fields} rule="statusMapping" />
      <DraftColumn {...fields} rule="paramOverride" />
    </>
  )
}

const DraftColumn = ({ draft, errorOf, onChange, rule }: FieldsProps & Readonly<{ rule: JsonRule }>) => (
  <JsonColumn
    rule={rule}
    value={draft[rule]}
    type={draft.type}
    error={errorOf(rule)}
    onChange={(text) => onChange({ [rule]: text })}
  />
)

type FetchModelsProps = Pick<FieldsProps, 'draft' | 'onChange'> & Readonly<{ channel: ChannelView | undefined }>

/** Fetches the vendor's models with the typed or stored key; hidden if the vendor lists none. */
function FetchModels({ draft, onChange, channel }: FetchModelsProps) {
  const { t } = useTranslation()
  const typed = useSend(calls.fetchModels)
  const stored = useSend(calls.fetchOwnModels)
  if (!channelTypeById(draft.type)?.modelList) return null
  const { type, key } = draft
  const onSuccess = (found: string[]) => {
    const models = [...new Set([...draft.models, ...found])]
    onChange({ models })
    showSuccess(t('channel.fetched', { n: found.length, fresh: models.length - draft.models.length }))
  }
  const fetchModels = () => {
    if (key.trim() === '' && channel) return stored.mutate({ params: { id: channel.id } }, { onSuccess })
    if (key.trim() === '') return showWarning(t('channel.need_key'))
    const { base } = channelAddress({ type, base_url: draft.baseUrl })
    return typed.mutate({ body: { type, key, base_url: base } }, { onSuccess })
  }
  return (
    <Button
      size="small"
      text={t('channel.fetch')}
      loading={typed.isPending || stored.isPending}
      onClick={fetchModels}
    />
  )
}

const labels = {
  auto: 'channel.apiFormat.auto',
  chat: 'channel.apiFormat.chat',
  responses: 'channel.apiFormat.responses',
} as const satisfies Record<ApiFormatChoice, TextKey>

/**
 * Which of OpenAI's two API formats is used upstream, whatever the client uses
 * (docs/reference/conversion.md#chat-or-responses).
 */
function ApiFormatField({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <FormGroup label={t('channel.apiFormat')} labelFor={id} helperText={t('channel.apiFormatHint')}>
      <Select
        id={id}
        fill
        name="api_format"
        value={draft.apiFormat}
        options={apiFormatChoices.map((value) => ({ value, label: t(labels[value]) }))}
        onChange={(event) => onChange({ apiFormat: apiFormatChoice(event.currentTarget.value) ?? 'auto' })}
      />
    </FormGroup>
  )
}
