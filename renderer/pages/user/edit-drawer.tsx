import { Classes } from '@blueprintjs/core'
import { useState } from 'react'
import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { randomId } from '../../api/random-id.ts'
import { updateUser } from '../../api/session.ts'
import { useSend } from '../../api/use-call.ts'
import { Section } from '../../components/side-drawer/section.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { changeOf, type Draft, type DraftProblems, draftOf, problemsOf } from './draft.ts'
import { GroupField } from './group-field.tsx'
import { NameFields, useProblemText } from './name-fields.tsx'
import { QuotaField } from './quota-field.tsx'
import { useSaved } from './use-saved.ts'

type EditDrawerProps = Readonly<{ user: ManagedUser; onClose: () => void }>

/** Edits an account; only changed fields are sent (docs/reference/screens.md#users). */
export function EditDrawer({ user, onClose }: EditDrawerProps) {
  const { t } = useTranslation()
  const [first] = useState(() => draftOf(user))
  const [key] = useState(randomId)
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<DraftProblems>({})
  const { mutate, isPending } = useSend(userAdmin.update)
  const { isSaved, finish } = useSaved(onClose)
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setProblems({})
  }
  const submit = () => {
    const found = problemsOf(draft, first)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    const changed = changeOf(user.id, draft, first)
    const done = () => {
      finish()
      // Updates the signed-in user if it is their own account.
      updateUser({ ...user, ...changed })
      showSuccess(t('user.updated'))
    }
    mutate({ body: { ...changed, idempotency_key: key } }, { onSuccess: done })
  }
  return (
    <SideDrawer
      title={t('user.editTitle', { name: user.username })}
      isBusy={isPending}
      isDirty={draft !== first && !isSaved}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields user={user} draft={draft} problems={problems} onChange={change} />
    </SideDrawer>
  )
}

type FieldsProps = Readonly<{
  user: ManagedUser
  draft: Draft
  problems: DraftProblems
  onChange: (part: Partial<Draft>) => void
}>

function Fields({ user, draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const errorOf = useProblemText(problems)
  return (
    <>
      <Section title={t('user.section.account')}>
        <NameFields names={draft} errorOf={errorOf} onChange={onChange} />
        <PasswordField
          label={t('user.newPassword')}
          name="password"
          autoComplete="new-password"
          value={draft.password}
          onValue={(password) => onChange({ password })}
          hint={t('user.newPasswordHint')}
          error={errorOf('password')}
        />
        <GroupField value={draft.group} onValue={(group) => onChange({ group })} />
        <TextField
          label={t('user.remark')}
          name="remark"
          autoComplete="off"
          value={draft.remark}
          onValue={(remark) => onChange({ remark })}
          hint={t('user.remarkHint')}
          error={errorOf('remark')}
        />
      </Section>
      <Section title={t('user.section.balance')}>
        <QuotaField
          name={user.username}
          value={draft.quota}
          onValue={(quota) => onChange({ quota })}
          error={errorOf('quota')}
        />
      </Section>
      <Section title={t('user.section.bindings')}>
        <Bindings user={user} />
      </Section>
    </>
  )
}

/** Linked accounts; only the owner can change them. */
function Bindings({ user }: { user: ManagedUser }) {
  const { t } = useTranslation()
  return (
    <>
      <p className={Classes.TEXT_MUTED}>{t('user.bindingsHint')}</p>
      <dl className="user-bindings">
        {bindings.map((name) => (
          <div key={name}>
            <dt>{t(`user.binding.${name}`)}</dt>
            {user[name] === '' ? (
              <dd className={Classes.TEXT_MUTED}>{t('user.unbound')}</dd>
            ) : (
              <dd className={Classes.MONOSPACE_TEXT}>{user[name]}</dd>
            )}
          </div>
        ))}
      </dl>
    </>
  )
}

const bindings = ['github_id', 'oidc_id', 'wechat_id', 'email', 'telegram_id', 'linux_do_id'] as const
