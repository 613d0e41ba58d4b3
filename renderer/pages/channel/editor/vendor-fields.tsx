import { Button, Callout, FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelTypeById, channelTypeLabel, channelTypeNames, channelTypes } from '../../../../shared/channel-types.ts'
import { Select } from '../../../components/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { wellKnownFirst } from '../../../components/vendor-order.ts'
import { currentLocale } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { AddressField } from './address-field.tsx'
import type { FieldsProps } from './fields.ts'
import { KeyField } from './key-field.tsx'
import { notices, otherTexts, regionTemplate } from './variants.ts'

type VendorFieldsProps = FieldsProps &
  Readonly<{
    /** Undefined for a new channel. */
    channel: ChannelView | undefined
    onType: (type: number) => void
  }>

/** Type, name, key and address (docs/reference/screens.md#channel-editor). */
export function VendorFields({ onType, channel, ...fields }: VendorFieldsProps) {
  const { t } = useTranslation()
  const { draft, errorOf, onChange } = fields
  const type = channelTypeById(draft.type)
  const notice = notices[type?.form ?? 'plain']
  return (
    <>
      <TypeField value={draft.type} onValue={onType} />
      {notice && (
        <Callout className="channel-notice" compact intent={notice.intent}>
          {t(notice.text)}
        </Callout>
      )}
      <TextField
        label={t('label.name')}
        name="name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        onValue={(name) => onChange({ name })}
        error={errorOf('name')}
      />
      <KeyField {...fields} channel={channel} />
      {type?.form === 'organization' && (
        <TextField
          label={t('channel.organization')}
          name="organization"
          autoComplete="off"
          value={draft.organization}
          onValue={(organization) => onChange({ organization })}
          hint={t('channel.organizationHint')}
        />
      )}
      <AddressField {...fields} />
      <OtherField {...fields} />
    </>
  )
}

/**
 * Channel types: the best known, then the others by name. One that is no longer offered is shown only for a channel
 * that has it.
 */
function TypeField({ value, onValue }: Readonly<{ value: number; onValue: (type: number) => void }>) {
  const { t } = useTranslation()
  const id = useId()
  const locale = currentLocale()
  const options = wellKnownFirst(channelTypeNames)
    .map((name) => channelTypes[name])
    .filter((type) => type.selectable || type.id === value)
    .map((type) => ({ value: type.id, label: channelTypeLabel(type, locale) }))
  return (
    <FormGroup label={t('label.type')} labelFor={id}>
      <Select
        id={id}
        fill
        name="type"
        value={value}
        options={[...options.slice(0, bestKnown), ...options.slice(bestKnown).sort(byLabel)]}
        onChange={(event) => onValue(Number(event.currentTarget.value))}
      />
    </FormGroup>
  )
}

const bestKnown = 10

const byLabel = (one: { label: string }, other: { label: string }): number => one.label.localeCompare(other.label)

/** The field `other`, whose meaning depends on the type; hidden if the type does not use it. */
function OtherField({ draft, errorOf, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const meaning = channelTypeById(draft.type)?.other
  if (!meaning) return null
  const { label, hint } = otherTexts[meaning]
  const template = (
    <Button
      size="small"
      variant="minimal"
      text={t('json.template')}
      onClick={() => onChange({ other: regionTemplate })}
    />
  )
  return (
    <TextField
      label={t(label)}
      name="other"
      autoComplete="off"
      value={draft.other}
      onValue={(other) => onChange({ other })}
      error={errorOf('other')}
      hint={t(hint)}
      {...(meaning === 'region' ? { rightElement: template } : {})}
    />
  )
}
