import './channel-drawer.css'
import { Button, Callout, SegmentedControl } from '@blueprintjs/core'
import { useState } from 'react'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { model as modelCalls } from '../../../../shared/api/model.ts'
import { useCall, useSend } from '../../../api/use-call.ts'
import { GroupInput } from '../../../components/group-input.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { namesIn } from '../list/row.ts'
import { JsonColumn } from './json-column.tsx'
import { fits } from './json-rules.ts'
import { ModelsField } from './models-field.tsx'
import { useKnownModels } from './use-known-models.ts'

type TagDraft = Readonly<{
  newTag: string
  models: readonly string[]
  groups: readonly string[]
  mapping: string
  priority: string
  weight: string
}>

/**
 * Changes all channels of a tag at once (docs/reference/screens.md#channel-editor, docs/reference/channels.md#tags).
 */
export function TagDrawer({ tag, onClose }: { tag: string; onClose: () => void }) {
  const { t } = useTranslation()
  const [initial] = useState<TagDraft>({ newTag: tag, models: [], groups: [], mapping: '', priority: '', weight: '' })
  const [draft, setDraft] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const { mutate, isPending } = useSend(calls.updateTag)
  const submit = () => {
    setChecked(true)
    if (!fits('modelMapping', draft.mapping) || numbers.some((field) => !isNumber(field, draft[field]))) return
    if (!isChange(tag, draft)) return showWarning(t('channel.tag_nochange'))
    const onSuccess = () => {
      onClose()
      showSuccess(t('update.ok'))
    }
    mutate({ body: bodyOf(tag, draft) }, { onSuccess })
  }
  return (
    <SideDrawer
      title={t('channel.tagEdit', { tag })}
      width="640px"
      isBusy={isPending}
      isDirty={draft !== initial}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields
        tag={tag}
        draft={draft}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        isChecked={isChecked}
      />
    </SideDrawer>
  )
}

type TagFieldsProps = Readonly<{
  tag: string
  draft: TagDraft
  onChange: (part: Partial<TagDraft>) => void
  isChecked: boolean
}>

function Fields({ tag, draft, onChange, isChecked }: TagFieldsProps) {
  const { t } = useTranslation()
  const known = useKnownModels()
  const { data: groups = [] } = useCall(modelCalls.groups, {}, { quiet: true })
  const copying = useSend(calls.tagModels)
  const onSuccess = (models: string) => onChange({ models: namesIn(models) })
  return (
    <>
      <Callout className="channel-notice" compact intent="warning">
        {t('channel.tagWarning')}
      </Callout>
      <TextField
        label={t('channel.newTag')}
        name="new_tag"
        autoFocus
        autoComplete="off"
        value={draft.newTag}
        onValue={(newTag) => onChange({ newTag })}
        hint={t('channel.newTagHint')}
      />
      <ModelsField
        models={draft.models}
        onModels={(models) => onChange({ models })}
        known={known}
        hint={t('channel.blankKeeps')}
        more={
          <Button
            size="small"
            text={t('channel.tagModels')}
            loading={copying.isPending}
            onClick={() => copying.mutate({ query: { tag } }, { onSuccess })}
          />
        }
      />
      <GroupInput
        label={t('channel.groups')}
        values={draft.groups}
        onValues={(names) => onChange({ groups: names })}
        suggestions={groups}
        hint={t('channel.blankKeeps')}
      />
      <JsonColumn
        rule="modelMapping"
        value={draft.mapping}
        onChange={(mapping) => onChange({ mapping })}
        hint={t('channel.blankKeeps')}
        error={isChecked && !fits('modelMapping', draft.mapping) ? t('channel.mapping') : undefined}
      />
      <ExistingMappings mapping={draft.mapping} onChange={(mapping) => onChange({ mapping })} />
      {numbers.map((field) => (
        <TextField
          key={field}
          label={t(`label.${field}`)}
          name={field}
          inputMode="numeric"
          autoComplete="off"
          value={draft[field]}
          onValue={(text) => onChange({ [field]: text })}
          error={isChecked && !isNumber(field, draft[field]) ? t('option.bad_number') : undefined}
          hint={t('channel.blankKeeps')}
        />
      ))}
    </>
  )
}

type ExistingProps = Readonly<{ mapping: string; onChange: (mapping: string) => void }>

/** Whether to leave or clear the channels' mappings if none is entered. */
function ExistingMappings({ mapping, onChange }: ExistingProps) {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      className="tag-mappings"
      size="small"
      aria-label={t('channel.mappingChoice')}
      options={[
        { value: KEEP, label: t('channel.mappingKeep') },
        { value: CLEAR, label: t('channel.mappingDrop') },
      ]}
      value={mapping.trim()}
      onValueChange={onChange}
    />
  )
}

/** `KEEP` sends no mapping, `CLEAR` an empty one. */
const KEEP = ''
const CLEAR = '{}'

const isChange = (tag: string, { newTag, models, groups, mapping, priority, weight }: TagDraft): boolean =>
  newTag.trim() !== tag ||
  models.length > 0 ||
  groups.length > 0 ||
  [mapping, priority, weight].some((text) => text.trim() !== '')

const numbers = ['priority', 'weight'] as const

/** A whole number; a weight must be at least 0 (docs/reference/screens.md#channels). */
function isNumber(field: (typeof numbers)[number], text: string): boolean {
  const number = Number(text)
  return Number.isInteger(number) && Math.abs(number) <= 1_000_000_000 && (number >= 0 || field === 'priority')
}

/** A blank new tag dissolves the tag; other blanks are omitted. */
const bodyOf = (tag: string, { newTag, models, groups, mapping, priority, weight }: TagDraft) => ({
  tag,
  ...(newTag.trim() === tag ? {} : { new_tag: newTag.trim() }),
  ...(models.length > 0 ? { models: models.join(',') } : {}),
  ...(groups.length > 0 ? { groups: groups.join(',') } : {}),
  ...(mapping.trim() === '' ? {} : { model_mapping: mapping.trim() }),
  ...(priority.trim() === '' ? {} : { priority: Number(priority) }),
  ...(weight.trim() === '' ? {} : { weight: Number(weight) }),
})
