import '../../components/choice-card/choice-card.css'
import { Classes, FormGroup, InputGroup, RadioCard, RadioGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useState } from 'react'
import { type ChannelTypeName, channelTypeNames, channelTypes } from '../../../shared/channel-types.ts'
import { VendorMark } from '../../components/vendor-mark/vendor-mark.tsx'
import { wellKnownFirst } from '../../components/vendor-order.ts'
import { useTranslation } from '../../translation.ts'
import { vendorLabel } from './use-provider.ts'

type VendorGalleryProps = Readonly<{
  offered: readonly ChannelTypeName[]
  isLoading: boolean
  chosen: ChannelTypeName | undefined
  onChoose: (vendor: ChannelTypeName) => void
  error?: string | undefined
}>

/** The vendors, well-known ones first, with icons; searchable by their English and Chinese names. */
export function VendorGallery({ offered, isLoading, chosen, onChoose, error }: VendorGalleryProps) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState('')
  const found = wellKnownFirst(offered).filter((name) => isNamed(name, wanted))
  const choose = (value: string) => {
    const vendor = channelTypeNames.find((name) => name === value)
    if (vendor) onChoose(vendor)
  }
  return (
    <FormGroup
      className="vendor-gallery"
      label={<span id="vendor-gallery-label">{t('connect.vendor')}</span>}
      intent={error ? 'danger' : 'none'}
      helperText={error && <span id="vendor-gallery-error">{error}</span>}
    >
      <InputGroup
        leftIcon={<Search />}
        placeholder={t('connect.vendorSearch')}
        aria-label={t('connect.vendorSearch')}
        aria-invalid={error !== undefined}
        aria-describedby={error && 'vendor-gallery-error'}
        value={wanted}
        onValueChange={setWanted}
      />
      {isLoading && <div className={`vendor-gallery-waiting ${Classes.SKELETON}`} />}
      {!isLoading && found.length === 0 && <p className={Classes.TEXT_MUTED}>{t('connect.vendorNone')}</p>}
      {!isLoading && (
        <RadioGroup
          className="vendor-gallery-cards"
          aria-labelledby="vendor-gallery-label"
          selectedValue={chosen ?? ''}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {found.map((name) => (
            <RadioCard
              key={name}
              inputProps={{ name: 'vendor' }}
              value={name}
              compact
              className="choice-card vendor-card"
            >
              <span className="vendor-card-name">
                <VendorMark type={name} size={22} />
                {vendorLabel(name)}
              </span>
            </RadioCard>
          ))}
        </RadioGroup>
      )}
    </FormGroup>
  )
}

function isNamed(vendor: ChannelTypeName, typed: string): boolean {
  const type = channelTypes[vendor]
  const names = [vendor, type.label, 'labelZh' in type ? type.labelZh : '']
  return names.some((name) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}
