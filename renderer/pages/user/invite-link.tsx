import { Callout } from '@blueprintjs/core'
import { useAddressForOthers } from '../../api/use-address-for-others.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { OnlyHere } from '../../components/only-here.tsx'
import { useTranslation } from '../../translation.ts'

/** A link that was just created; shown only once. */
export function InviteLink({ code }: { code: string }) {
  const { t } = useTranslation()
  const found = useAddressForOthers()
  if (!found) return null
  return (
    <>
      <Callout intent="success" role="status">
        <strong>{t('user.inviteReady')}</strong>
        <p>{t('user.inviteReadyHint')}</p>
        <CopyValue value={`${found.address}/register?invite=${code}`} label={t('user.inviteCopy')} />
      </Callout>
      {found.isForOthers === false && <OnlyHere />}
    </>
  )
}
