import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import type { DraftProblems, Problem } from './draft.ts'

export function useProblemText(problems: DraftProblems): (field: keyof DraftProblems) => string | undefined {
  const { t } = useTranslation()
  const textOf = ({ key, max = 0 }: Problem): string => (key ? t(key, { max }) : '')
  return (field) => {
    const problem = problems[field]
    return problem && textOf(problem)
  }
}

type Names = Readonly<{ username: string; displayName: string }>

type NameFieldsProps = Readonly<{
  names: Names
  errorOf: (field: keyof Names) => string | undefined
  onChange: (change: Partial<Names>) => void
}>

export function NameFields({ names, errorOf, onChange }: NameFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('user.username')}
        name="username"
        autoFocus
        autoComplete="off"
        value={names.username}
        onValue={(username) => onChange({ username })}
        hint={t('setup.usernameHint')}
        error={errorOf('username')}
      />
      <TextField
        label={t('user.displayName')}
        name="display_name"
        autoComplete="off"
        value={names.displayName}
        onValue={(displayName) => onChange({ displayName })}
        hint={t('user.displayNameHint')}
        error={errorOf('displayName')}
      />
    </>
  )
}
