import { Switch } from '@blueprintjs/core'
import { model as modelCalls } from '../../../../shared/api/model.ts'
import { useCall } from '../../../api/use-call.ts'
import { GroupInput } from '../../../components/group-input.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import type { FieldsProps } from './fields.ts'

/** Groups, selection order and limits of a channel (docs/reference/channels.md#fields). */
export function RoutingFields({ draft, errorOf, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const { data: groups = [] } = useCall(modelCalls.groups, {}, { quiet: true })
  return (
    <>
      <GroupInput
        label={t('channel.groups')}
        values={draft.groups}
        onValues={(names) => onChange({ groups: names })}
        suggestions={groups}
        error={errorOf('groups')}
        hint={t('channel.groupsHint')}
      />
      <TextField
        label={t('channel.tag')}
        name="tag"
        autoComplete="off"
        value={draft.tag}
        onValue={(tag) => onChange({ tag })}
        hint={t('channel.tagHint')}
      />
      {numbers.map(({ field, label, hint }) => (
        <TextField
          key={field}
          label={t(label)}
          name={field}
          inputMode="numeric"
          autoComplete="off"
          value={draft[field]}
          onValue={(text) => onChange({ [field]: text })}
          error={errorOf(field)}
          hint={t(hint)}
        />
      ))}
      <Switch
        label={t('channel.autoBan')}
        checked={draft.autoBan}
        onChange={(event) => onChange({ autoBan: event.currentTarget.checked })}
      />
    </>
  )
}

/** Whole numbers: those that determine the order of channels, and the maximum prompt length. */
const numbers = [
  { field: 'priority', label: 'label.priority', hint: 'channel.priorityHint' },
  { field: 'weight', label: 'label.weight', hint: 'channel.weightHint' },
  { field: 'maxInputTokens', label: 'channel.maxInput', hint: 'channel.maxInputHint' },
] as const
