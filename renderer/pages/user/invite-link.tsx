import { Callout } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'

/** A link that was just made, to be copied: it is shown this once. */
export function InviteLink({ code }: { code: string }) {
  const { t } = useTranslation()
  const { server_address: address } = useStatus()
  return (
    <Callout intent="success" title={t('user.inviteReady')} role="status">
      <p>{t('user.inviteReadyHint')}</p>
      <CopyValue value={`${address}/register?invite=${code}`} label={t('user.inviteCopy')} />
    </Callout>
  )
}
