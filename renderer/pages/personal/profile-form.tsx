import { Button } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { MAX_DISPLAY_NAME, type UserView } from '../../../shared/api/user.ts'
import { flawOfUsername } from '../../../shared/username.ts'
import { CallFailure, failureTo } from '../../api/call-failure.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showFailure, showSuccess, showWarning } from '../../components/toasts.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

type Names = Readonly<{ username: string; display_name: string }>

/** The account's names; only changed ones are sent. */
export function ProfileForm({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<Partial<Names>>({})
  const [isChecked, setChecked] = useState(false)
  const { mutateAsync, isPending } = useSend(ownAccount.update, { quiet: true })
  const names: Names = { username: account.username, display_name: account.display_name, ...typed }
  const changes = changesOf(account, names)
  const isDirty = Object.keys(changes).length > 0
  const problems = problemsOf(names, account)
  const errorOf = (name: keyof Names) => (isChecked && problems[name] ? t(problems[name]) : undefined)
  const change = (next: Partial<Names>) => {
    setTyped({ ...typed, ...next })
    setChecked(false)
  }
  const save = async () => {
    if (!isDirty) return showWarning(t('option.nochange'))
    setChecked(true)
    if (Object.values(problems).some(Boolean)) return
    try {
      await mutateAsync({ body: changes })
    } catch (error) {
      if (error instanceof CallFailure && error.status !== 401) showFailure(failureTo(t('update.save_fail'), error))
      return
    }
    // Otherwise the old value would flash.
    await queries.invalidateQueries({ queryKey: [areaOf(ownAccount.update)] })
    setTyped({})
    showSuccess(t('user.updated'))
  }
  return (
    <Form className="personal-profile" isBusy={isPending} isDirty={isDirty} onSubmit={() => void save()}>
      <div className="personal-fields">
        <TextField
          label={t('personal.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          hint={t('personal.usernameHint')}
          value={names.username}
          onValue={(username) => change({ username })}
          error={errorOf('username')}
        />
        <TextField
          label={t('personal.displayName')}
          name="display_name"
          autoComplete="nickname"
          hint={t('personal.displayNameHint')}
          value={names.display_name}
          onValue={(name) => change({ display_name: name })}
          error={errorOf('display_name')}
        />
      </div>
      <Button type="submit" intent={isDirty ? 'primary' : 'none'} text={t('label.save')} loading={isPending} />
    </Form>
  )
}

function changesOf(account: UserView, { username, display_name: shown }: Names): Partial<Names> {
  return {
    ...(username.trim() !== account.username && { username: username.trim() }),
    ...(shown.trim() !== account.display_name && { display_name: shown.trim() }),
  }
}

/**
 * Validates by the gateway's rules (docs/reference/accounts.md#own-account); unchanged names are valid, since they may
 * have been imported.
 */
function problemsOf(
  { username, display_name: shown }: Names,
  account: Names,
): Readonly<Partial<Record<keyof Names, TextKey>>> {
  const name = username.trim()
  const flaw = name === account.username ? undefined : flawOfUsername(name)
  const isLong = [...shown.trim()].length > MAX_DISPLAY_NAME && shown.trim() !== account.display_name
  const wrong = name === '' ? 'personal.usernameNeeded' : flaw
  return {
    ...(wrong && { username: wrong }),
    ...(isLong && { display_name: 'personal.displayNameLong' }),
  }
}
