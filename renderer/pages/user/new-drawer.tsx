import { useState } from 'react'
import { userAdmin } from '../../../shared/api/user-admin.ts'
import { role } from '../../../shared/enums.ts'
import { useSend } from '../../api/use-call.ts'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { type DraftProblems, type NewDraft, newFieldsOf, newProblemsOf } from './draft.ts'
import { NameFields, useProblemText } from './name-fields.tsx'
import { RoleField } from './role-field.tsx'
import { useSaved } from './use-saved.ts'

/** Adds an account; only the super administrator chooses its role (docs/reference/screens.md#users). */
export function NewDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(emptyDraft)
  const [problems, setProblems] = useState<DraftProblems>({})
  const { mutate, isPending } = useSend(userAdmin.create)
  const { isSaved, finish } = useSaved(onClose)
  const errorOf = useProblemText(problems)
  const change = (part: Partial<NewDraft>) => {
    setDraft({ ...draft, ...part })
    setProblems({})
  }
  const done = () => {
    finish()
    showSuccess(t('user.created'))
  }
  const submit = () => {
    const found = newProblemsOf(draft)
    setProblems(found)
    if (Object.keys(found).length === 0) mutate({ body: newFieldsOf(draft) }, { onSuccess: done })
  }
  return (
    <SideDrawer
      title={t('user.add')}
      verb={t('user.save')}
      isBusy={isPending}
      isDirty={draft !== emptyDraft && !isSaved}
      onClose={onClose}
      onSubmit={submit}
    >
      <NameFields names={draft} errorOf={errorOf} onChange={change} />
      <PasswordField
        label={t('user.password')}
        name="password"
        autoComplete="new-password"
        value={draft.password}
        onValue={(password) => change({ password })}
        hint={t('user.passwordHint')}
        error={errorOf('password')}
      />
      <RoleField value={draft.role} onValue={(value) => change({ role: value })} />
    </SideDrawer>
  )
}

const emptyDraft: NewDraft = { username: '', displayName: '', password: '', role: role.user }
