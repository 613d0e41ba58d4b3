import { Button, Classes } from '@blueprintjs/core'
import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import type { UserView } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { useAddressForOthers } from '../../api/use-address-for-others.ts'
import { useCall } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { Count } from '../../components/count.tsx'
import { later } from '../../components/later.tsx'
import { OnlyHere } from '../../components/only-here.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { Amount, Figures } from './balance.tsx'
import { PersonalSection } from './personal-section.tsx'

const TransferDialog = later(async () => (await import('./transfer-dialog.tsx')).TransferDialog)

export function Invitations({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { quota_per_unit: min } = useStatus()
  const [isTransferring, setTransferring] = useState(false)
  const figures = [
    { id: 'pending', title: t('personal.invitePending'), value: <Amount quota={account.aff_quota} /> },
    { id: 'total', title: t('personal.inviteTotal'), value: <Amount quota={account.aff_history_quota} /> },
    { id: 'count', title: t('personal.inviteCount'), value: <Count of={account.aff_count} /> },
  ]
  return (
    <PersonalSection title={t('personal.invite')}>
      <Figures figures={figures} />
      <div className="personal-transfer">
        <Button
          text={t('personal.transfer')}
          disabled={account.aff_quota < min || account.aff_quota <= 0}
          onClick={() => setTransferring(true)}
        />
        <span className={Classes.TEXT_MUTED}>{t('personal.transferHint', { amount: format(min) })}</span>
      </div>
      <InviteLink />
      {isTransferring && <TransferDialog available={account.aff_quota} onClose={() => setTransferring(false)} />}
    </PersonalSection>
  )
}

/** The invitation link, copied on click or Enter. */
function InviteLink() {
  const { t } = useTranslation()
  const { data: code } = useCall(ownAccount.inviteCode, {})
  const { copy, dialog } = useCopy()
  const found = useAddressForOthers()
  const link = code === undefined || !found ? '' : `${found.address}/register?aff=${encodeURIComponent(code)}`
  const copyLink = () => link !== '' && copy(link)
  return (
    <>
      <TextField
        label={t('personal.inviteLink')}
        hint={t('personal.inviteLinkHint')}
        readOnly
        value={link}
        onValue={unchanged}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={copyLink}
        onKeyDown={({ key }) => key === 'Enter' && copyLink()}
      />
      {found?.isForOthers === false && <OnlyHere />}
      {dialog}
    </>
  )
}

const unchanged = () => undefined
