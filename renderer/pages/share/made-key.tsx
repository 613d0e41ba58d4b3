import { Button, Callout, Dialog, DialogBody, DialogFooter, FormGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { ShareView } from '../../../shared/api/share.ts'
import { useAddressForOthers } from '../../api/use-address-for-others.ts'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { QrCode } from '../../components/qr-code/qr-code.tsx'
import { Select } from '../../components/select.tsx'
import { useTranslation } from '../../translation.ts'

type MadeKeyProps = Readonly<{
  made: Readonly<{ name: string; key: string }>
  view: ShareView
  onClose: () => void
}>

/** The new key as text and QR code; shown only once. */
export function MadeKey({ made: { name, key }, view, onClose }: MadeKeyProps) {
  const { t } = useTranslation()
  const id = useId()
  const addresses = useAddresses(view)
  const [chosen, setChosen] = useState<string>()
  const address = chosen ?? addresses?.[0]
  return (
    <Dialog
      className="fits-window"
      isOpen
      title={t('sharing.made', { name })}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      onClose={onClose}
    >
      <DialogBody>
        {addresses?.length === 0 && <Callout intent="warning">{t('sharing.madeOff')}</Callout>}
        {addresses !== undefined && address !== undefined && (
          <>
            <p>{t('sharing.madeHint')}</p>
            {addresses.length > 1 && (
              <FormGroup label={t('sharing.at')} labelFor={id}>
                <Select
                  id={id}
                  fill
                  value={address}
                  options={[...addresses]}
                  onChange={(event) => setChosen(event.currentTarget.value)}
                />
              </FormGroup>
            )}
            <QrCode text={linkTo(address, key)} label={t('sharing.qrKey', { name })} />
          </>
        )}
        <div className="share-made">
          <CopyValue value={key} label={t('sharing.copyKey')} />
          {address !== undefined && (
            <CopyButton text={linkTo(address, key)} shown={t('sharing.link')} label={t('sharing.copyLink')} />
          )}
        </div>
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

/** The link for the guest. Its fragment, which contains the key, is not sent to servers and appears in no log. */
const linkTo = (address: string, key: string): string => `${address}/connect/guest#key=${encodeURIComponent(key)}`

/** The gateway's addresses for other devices; undefined if unknown. */
function useAddresses({ decided_by: by, addresses }: ShareView): readonly string[] | undefined {
  const own = useAddressForOthers()
  if (by === 'environment') {
    if (own?.isForOthers === undefined) return undefined
    return own.isForOthers ? [own.address] : []
  }
  return addresses.filter(({ is_open: isOpen }) => isOpen).map(({ url }) => url)
}
