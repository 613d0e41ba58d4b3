import { Button } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type InvitationView, invitation } from '../../../shared/api/invitation.ts'
import { roleLabel } from '../../../shared/enums.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { Section } from '../../components/side-drawer/section.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'

export function Invitations() {
  const { t } = useTranslation()
  const { data = [], error, refetch } = useCall(invitation.list, {}, { quiet: true })
  const [now] = useState(() => Date.now() / 1000)
  const open = data.filter(({ used, uses, expires_at: end }) => used < uses && end > now)
  if (open.length === 0 && !error) return null
  return (
    <Section title={t('user.inviteOpen')}>
      {error && <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />}
      <ul className="user-invitations">
        {open.map((one) => (
          <Invitation key={one.id} one={one} />
        ))}
      </ul>
    </Section>
  )
}

function Invitation({ one }: { one: InvitationView }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const queries = useQueryClient()
  const { mutate, isPending } = useSend(invitation.remove)
  const close = () => setConfirming(false)
  const remove = () =>
    mutate({ params: { id: one.id } }, { onSuccess: () => void queries.invalidateQueries(), onSettled: close })
  const name = one.note || t('user.inviteNameless', { id: one.id })
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <div>
          {t(roleLabel(one.role))} · {t('user.inviteUsed', { used: one.used, uses: one.uses })} ·{' '}
          {t('user.inviteUntil')} <TimeText at={one.expires_at} isShort />
        </div>
      </div>
      <Button
        size="small"
        text={t('user.inviteRemove')}
        aria-label={t('user.inviteRemoveOf', { name })}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('user.inviteRemoveAsk', { name })}
        verb={t('user.inviteRemove')}
        isBusy={isPending}
        onConfirm={remove}
        onCancel={close}
      >
        {t('user.inviteRemoveHint')}
      </Confirm>
    </li>
  )
}
