import { Classes, FormGroup, type Intent, Switch, Tag, TextArea } from '@blueprintjs/core'
import { useId } from 'react'
import { user } from '../../../shared/api/user.ts'
import { useCall } from '../../api/use-call.ts'
import { useGroupLabel } from '../../components/group-name.ts'
import { Select } from '../../components/select.tsx'
import { TagListInput } from '../../components/tag-list-input/tag-list-input.tsx'
import { useTranslation } from '../../translation.ts'
import type { FieldsProps } from './draft.ts'

/** The token's group, and which models and addresses it may use (docs/reference/screens.md#tokens). */
export function AccessFields({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { data: models = [] } = useCall(user.models, {})
  const id = useId()
  return (
    <>
      <GroupField value={draft.group} onValue={(group) => onChange({ group })} />
      <Switch
        className="token-limit"
        label={t('token.limitModels')}
        checked={draft.isLimited}
        onChange={(event) => onChange({ isLimited: event.currentTarget.checked })}
      />
      {draft.isLimited && (
        <TagListInput
          label={t('token.models')}
          values={draft.models}
          onValues={(chosen) => onChange({ models: chosen })}
          suggestions={models}
          error={problems.models && t(problems.models)}
        />
      )}
      <FormGroup
        label={t('token.allowIps')}
        labelFor={id}
        helperText={<span id={`${id}-note`}>{t('token.allowIpsHint')}</span>}
      >
        <TextArea
          id={id}
          fill
          rows={3}
          className={Classes.MONOSPACE_TEXT}
          value={draft.ips}
          onChange={(event) => onChange({ ips: event.currentTarget.value })}
          aria-describedby={`${id}-note`}
        />
      </FormGroup>
    </>
  )
}

/** The user's groups with description and ratio; empty selects the account's own. */
function GroupField({ value, onValue }: { value: string; onValue: (group: string) => void }) {
  const { t } = useTranslation()
  const labelOf = useGroupLabel()
  const { data: groups = {}, isSuccess } = useCall(user.ownGroups, {})
  const id = useId()
  const names = Object.keys(groups)
  const isNone = isSuccess && names.length === 0
  const options = [
    { value: '', label: t('token.groupOwn') },
    ...names.map((name) => ({ value: name, label: labelOf(name, groups[name]?.desc ?? '') })),
    ...(value !== '' && !names.includes(value) ? [{ value, label: labelOf(value, '') }] : []),
  ]
  const note = isNone ? t('token.groupNone') : t('token.groupHint')
  const ratio = groups[value]?.ratio
  return (
    <FormGroup label={t('label.group')} labelFor={id} helperText={<span id={`${id}-note`}>{note}</span>}>
      <div className="token-group">
        <Select
          id={id}
          fill
          value={value}
          options={options}
          disabled={isNone}
          onChange={(event) => onValue(event.currentTarget.value)}
          aria-describedby={`${id}-note`}
        />
        {ratio !== undefined && <RatioTag ratio={ratio} />}
      </div>
    </FormGroup>
  )
}

/**
 * A group's ratio, coloured by price (docs/reference/screens.md#formats-and-colors); the automatic group has a text
 * instead of a number.
 */
function RatioTag({ ratio }: { ratio: number | string }) {
  const { t } = useTranslation()
  return (
    <Tag minimal intent={intentOf(ratio)} className="tabular">
      {typeof ratio === 'number' ? t('token.groupRatio', { ratio }) : ratio}
    </Tag>
  )
}

function intentOf(ratio: number | string): Intent {
  if (typeof ratio !== 'number') return 'none'
  const step = steps.find(({ above }) => ratio > above)
  return step?.intent ?? 'success'
}

const steps = [
  { above: 5, intent: 'danger' },
  { above: 3, intent: 'warning' },
  { above: 1, intent: 'primary' },
] as const
