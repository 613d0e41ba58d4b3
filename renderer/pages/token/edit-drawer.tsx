import { Callout, Switch } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { token as calls, type TokenView } from '../../../shared/api/token.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showSuccess } from '../../components/toasts.tsx'
import { changeOf, type Draft, type DraftProblems, draftOf, fieldsOf, problemsOf } from './draft.ts'
import { ExpiryField } from './expiry-field.tsx'

type TokenDrawerProps = Readonly<{ editing: TokenView | 'new' | undefined; onClose: () => void }>

/** Makes a token or changes one; closed while `editing` is undefined. */
export function TokenDrawer({ editing, onClose }: TokenDrawerProps) {
  return editing === undefined ? null : <OpenDrawer editing={editing} onClose={onClose} />
}

/** Mounted anew for each token, so a draft never leaks into the next one. */
function OpenDrawer({ editing, onClose }: { editing: TokenView | 'new'; onClose: () => void }) {
  const { t } = useTranslation()
  const token = editing === 'new' ? undefined : editing
  const [draft, setDraft] = useState(() => draftOf(token))
  const [problems, setProblems] = useState<DraftProblems>({})
  const { save, isBusy } = useSave(token, onClose)
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next })
    setProblems({})
  }
  const submit = () => {
    const found = problemsOf(draft)
    setProblems(found)
    if (Object.keys(found).length === 0) save(draft)
  }
  const title = token ? t('token.editTitle', { name: token.name }) : t('token.add')
  return (
    <SideDrawer title={title} isBusy={isBusy} onClose={onClose} onSubmit={submit}>
      <Fields draft={draft} problems={problems} onChange={change} />
    </SideDrawer>
  )
}

type FieldsProps = Readonly<{ draft: Draft; problems: DraftProblems; onChange: (change: Partial<Draft>) => void }>

/** The fields, each with its problem beneath it. */
function Fields({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const told = (field: keyof Draft) => problems[field] && t(problems[field])
  return (
    <>
      <TextField
        label={t('label.name')}
        name="name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        onValue={(name) => onChange({ name })}
        error={told('name')}
      />
      <ExpiryField value={draft.expiry} onValue={(expiry) => onChange({ expiry })} error={told('expiry')} />
      <QuotaInput
        label={t('label.quota')}
        value={draft.quota}
        onValue={(quota) => onChange({ quota })}
        error={told('quota')}
        isDisabled={draft.isUnlimited}
      />
      <Switch
        label={t('token.unlimited')}
        checked={draft.isUnlimited}
        onChange={(event) => onChange({ isUnlimited: event.currentTarget.checked })}
      />
      <Callout compact>{t('token.quotaHint')}</Callout>
    </>
  )
}

/** Creates or changes, then closes and says so; on a refusal the drawer stays with what was typed. */
function useSave(token: TokenView | undefined, onClose: () => void): { save: (draft: Draft) => void; isBusy: boolean } {
  const { t } = useTranslation()
  const { default_use_auto_group: isAutoGroup } = useStatus()
  const creation = useSend(calls.create)
  const update = useSend(calls.update)
  const finish = (message: string) => () => {
    onClose()
    showSuccess(message)
  }
  const save = (draft: Draft) => {
    if (token) {
      const ask = { query: { status_only: false }, body: changeOf(token, draft) }
      return update.mutate(ask, { onSuccess: finish(t('update.ok')) })
    }
    const body = { ...fieldsOf(draft), group: isAutoGroup ? 'auto' : '' }
    return creation.mutate({ body }, { onSuccess: finish(t('token.created', { name: body.name })) })
  }
  return { save, isBusy: creation.isPending || update.isPending }
}
