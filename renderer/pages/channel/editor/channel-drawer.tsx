import './channel-drawer.css'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { AddressConfirmation } from './address-confirmation.tsx'
import { type Draft, draftOf } from './draft.ts'
import { DraftColumn } from './draft-column.tsx'
import { FetchModels } from './fetch-models.tsx'
import type { FieldsProps } from './fields.ts'
import { ModelsField } from './models-field.tsx'
import { type DraftProblems, problemsOf } from './problems.ts'
import { RequestFields } from './request-fields.tsx'
import { RoutingFields } from './routing-fields.tsx'
import { changedIn, type SectionName, sectionFields } from './sections.ts'
import { useKnownModels } from './use-known-models.ts'
import { useSave } from './use-save.ts'
import { presetForms } from './variants.ts'
import { VendorFields } from './vendor-fields.tsx'

type ChannelDrawerProps = Readonly<{
  /** Absent for a new channel. */
  channel?: ChannelView
  onClose: () => void
}>

/** Makes a channel or changes one (docs/reference/screens.md#channel-editor). */
export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation()
  const [initial] = useState(() => draftOf(channel))
  const [draft, setDraft] = useState(initial)
  const [problems, setProblems] = useState<DraftProblems>({})
  const [isAsking, setAsking] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const { save, isBusy } = useSave(channel, initial, () => setSaved(true))
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    // Once nothing is unsaved any more: leaving does not ask.
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
    if (isChanged(draft, initial) && channelAddress({ type: draft.type, base_url: draft.baseUrl }).flaw) setAsking(true)
    else save(draft, false)
  }
  const title = channel ? t('channel.editTitle', { name: channel.name }) : t('channel.add')
  const errorOf = (field: keyof Draft) => problems[field] && t(problems[field])
  const answer = (isMended: boolean) => {
    setAsking(false)
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
      {isAsking && <AddressConfirmation draft={draft} onAnswer={answer} onCancel={() => setAsking(false)} />}
    </SideDrawer>
  )
}

/** Whether what the address is made of was touched; an old address is nobody's question any more. */
const isChanged = (draft: Draft, initial: Draft): boolean =>
  draft.type !== initial.type || draft.baseUrl !== initial.baseUrl

/** The fields in their sections. */
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
