import './address-field.css'
import { Callout } from '@blueprintjs/core'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { UrlText } from '../../../components/url-text/url-text.tsx'
import { useTranslation } from '../../../translation.ts'
import type { FieldsProps } from './fields.ts'
import { addressTexts, plainAddress } from './variants.ts'

/** The vendor's address with a preview of the called URL (docs/reference/design.md#first-five-minutes). */
export function AddressField({ draft, errorOf, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const type = channelTypeById(draft.type)
  const { label, hint } = addressTexts[type?.form ?? 'plain'] ?? plainAddress
  return (
    <>
      <TextField
        label={t(label)}
        name="base_url"
        inputMode="url"
        autoComplete="off"
        placeholder={type?.baseUrl ?? ''}
        value={draft.baseUrl}
        onValue={(baseUrl) => onChange({ baseUrl })}
        error={errorOf('baseUrl')}
        hint={t(hint)}
      />
      <Preview draft={draft} />
    </>
  )
}

/** The URL that will be called, and any correctable problem with the address. */
function Preview({ draft }: Pick<FieldsProps, 'draft'>) {
  const { t } = useTranslation()
  const { type, baseUrl: base_url, other, models, testModel } = draft
  const { flaw, base, url } = channelAddress({ type, base_url, other, model: testModel || models[0] || '' })
  if (flaw === 'invalid' || (url === '' && flaw === null)) return null
  return (
    <Callout className="address-preview" compact intent={flaw ? 'warning' : 'none'} role="status">
      {flaw && <div>{t(`channel.addressFlaw.${flaw}`, { address: base })}</div>}
      {url !== '' && (
        <div>
          {t('channel.calls')} <UrlText url={url} />
        </div>
      )}
    </Callout>
  )
}
