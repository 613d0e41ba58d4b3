import { Callout } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invitation, MAX_USES } from '../../../shared/api/invitation.ts'
import { role } from '../../../shared/enums.ts'
import { useAddressForOthers } from '../../api/use-address-for-others.ts'
import { useSend } from '../../api/use-call.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { NumberField } from '../../components/number-field/number-field.tsx'
import { OnlyHere } from '../../components/only-here.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { Section } from '../../components/side-drawer/section.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { ChoiceField } from './choice-field.tsx'
import { GroupField } from './group-field.tsx'
import { Invitations } from './invitations.tsx'
import { RoleField } from './role-field.tsx'

const DAY = 86_400
const spans = [1, 7, 30, 365] as const

const defaults = {
  role: role.user as number,
  group: 'default',
  quota: 0 as number | undefined,
  uses: 1 as number | undefined,
  seconds: 7 * DAY,
  note: '',
}

/** Creates invitation links, and lists those that can still be used (docs/reference/screens.md#users). */
export function InviteDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(defaults)
  const [code, setCode] = useState<string>()
  const queries = useQueryClient()
  const { mutate, isPending } = useSend(invitation.create)
  const change = (part: Partial<typeof defaults>) => setDraft((before) => ({ ...before, ...part }))
  const { quota, uses } = draft
  const isWhole = quota !== undefined && quota >= 0 && uses !== undefined && uses >= 1 && uses <= MAX_USES
  const submit = () => {
    if (!isWhole) return
    const done = (made: { code: string }) => {
      setCode(made.code)
      setDraft(defaults)
      void queries.invalidateQueries()
    }
    mutate({ body: { ...draft, quota, uses } }, { onSuccess: done })
  }
  return (
    <SideDrawer
      title={t('user.invite')}
      verb={t('user.inviteCreate')}
      leave={t('label.close')}
      isBusy={isPending}
      isDirty={draft !== defaults}
      onClose={onClose}
      onSubmit={submit}
    >
      {code && <InviteLink code={code} />}
      <Section title={t('user.inviteNew')}>
        <RoleField value={draft.role} onValue={(value) => change({ role: value })} />
        <GroupField value={draft.group} onValue={(group) => change({ group })} />
        <QuotaInput
          isPlain
          label={t('user.inviteQuota')}
          value={quota}
          onValue={(value) => change({ quota: value })}
          hint={t('user.inviteQuotaHint')}
        />
        <NumberField
          label={t('user.inviteUses')}
          value={uses}
          onValue={(value) => change({ uses: value })}
          min={1}
          max={MAX_USES}
          hint={t('user.inviteUsesHint')}
        />
        <ChoiceField
          label={t('user.inviteSpan')}
          hint={t('user.inviteSpanHint')}
          value={String(draft.seconds)}
          options={spans.map((days) => ({
            value: String(days * DAY),
            label: t('user.inviteDays', { n: days }),
          }))}
          onValue={(seconds) => change({ seconds: Number(seconds) })}
        />
        <TextField
          label={t('user.remark')}
          name="note"
          autoComplete="off"
          value={draft.note}
          onValue={(note) => change({ note })}
          hint={t('user.inviteNoteHint')}
        />
      </Section>
      <Invitations />
    </SideDrawer>
  )
}

/** A link that was just created; shown only once. */
function InviteLink({ code }: { code: string }) {
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
