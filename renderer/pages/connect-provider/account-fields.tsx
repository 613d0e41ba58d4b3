import { Callout, FormGroup } from '@blueprintjs/core'
import { type ChannelType, channelTypes } from '../../../shared/channel-types.ts'
import { vendorOfKey } from '../../../shared/key-prefixes.ts'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { UrlText } from '../../components/url-text/url-text.tsx'
import { useTranslation } from '../../translation.ts'
import { addressHintOf, addressOf, isKeyless } from './account.ts'
import { type Provider, vendorLabel } from './use-provider.ts'

export function KeyField({ provider: { account, problems, offered, enterKey } }: { provider: Provider }) {
  const { t } = useTranslation()
  const shown = vendorOfKey(account.key)
  const isOffered = shown !== undefined && offered.includes(shown.name)
  return (
    <>
      <PasswordField
        label={t('connect.key')}
        name="key"
        autoComplete="new-password"
        value={account.key}
        onValue={enterKey}
        error={problems.key && t(problems.key)}
        hint={useKeyHint(account)}
      />
      {shown && !isOffered && offered.length > 0 && (
        <Callout compact intent="warning">
          {t('connect.keyNotYet', { vendor: vendorLabel(shown.name) })}
        </Callout>
      )}
    </>
  )
}

function useKeyHint({ key, vendor }: Provider['account']): string {
  const { t } = useTranslation()
  if (!vendor) return t('connect.keyHintFirst')
  const { keyFormat }: ChannelType = channelTypes[vendor]
  if (isKeyless(vendor)) return t('connect.keyless')
  if (keyFormat !== 'secret' && keyFormat !== 'service-account-json')
    return t('connect.keyFormat', { format: keyFormat })
  const shown = vendorOfKey(key)
  if (shown?.name !== vendor) return t('connect.keyHint')
  return t('connect.keyOf', { vendor: shown.label ?? vendorLabel(vendor) })
}

/** The vendor's address and other required values; shows the exact URL of a call once it can be determined. */
export function AddressFields({ provider: { account, problems, change } }: { provider: Provider }) {
  const { t } = useTranslation()
  const { vendor, address, other } = account
  if (!vendor) return null
  const type: ChannelType = channelTypes[vendor]
  const { flaw, base, url } = addressOf(account)
  const isMended = flaw === 'doubled' || flaw === 'missing'
  return (
    <>
      <TextField
        label={t('connect.address')}
        name="address"
        type="url"
        autoComplete="off"
        placeholder={type.baseUrl}
        value={address}
        onValue={(next) => change({ address: next })}
        error={problems.address && t(problems.address)}
        hint={isMended ? t('connect.corrected', { base }) : t(addressHintOf(vendor))}
      />
      {type.other && type.other !== 'plugin' && (
        <TextField
          label={t(`connect.other.${type.other}`)}
          name="other"
          autoComplete="off"
          value={other}
          onValue={(next) => change({ other: next })}
        />
      )}
      {url !== '' && (
        <FormGroup label={t('connect.calls')}>
          <output>
            <UrlText url={url} />
          </output>
        </FormGroup>
      )}
    </>
  )
}
