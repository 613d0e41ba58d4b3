import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useId } from 'react'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { useTranslation } from '../../../translation.ts'
import type { Draft } from './draft.ts'

type AddressConfirmationProps = Readonly<{
  draft: Draft
  onAnswer: (isMended: boolean) => void
  onCancel: () => void
}>

/**
 * Asks before saving an address that repeats, or lacks, a part of the URL to call
 * (docs/reference/screens.md#channel-editor).
 */
export function AddressConfirmation({ draft, onAnswer, onCancel }: AddressConfirmationProps) {
  const { t } = useTranslation()
  const bodyId = useId()
  const { flaw, base } = channelAddress({ type: draft.type, base_url: draft.baseUrl })
  if (flaw === null || flaw === 'invalid') return null
  return (
    <Dialog
      role="alertdialog"
      className="confirm fits-window"
      title={t('channel.addressAsk')}
      isCloseButtonShown={false}
      isOpen
      onClose={onCancel}
      aria-describedby={bodyId}
    >
      <DialogBody>
        <div id={bodyId}>{t(`channel.addressFlaw.${flaw}`, { address: base })}</div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('label.cancel')} onClick={onCancel} />
            <Button text={t('channel.addressKeep')} onClick={() => onAnswer(false)} />
            <Button autoFocus intent="primary" text={t('channel.addressCorrect')} onClick={() => onAnswer(true)} />
          </>
        }
      />
    </Dialog>
  )
}
