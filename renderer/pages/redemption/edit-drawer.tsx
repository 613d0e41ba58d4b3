import { useState } from 'react'
import { redemption as calls, MAX_CODES, type RedemptionView } from '../../../shared/api/redemption.ts'
import { randomId } from '../../api/random-id.ts'
import { useSend } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { ExpiryField } from '../../components/expiry-field.tsx'
import { NumberField } from '../../components/number-field/number-field.tsx'
import { Presets } from '../../components/presets/presets.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { changeOf, type Draft, type DraftProblems, draftOf, newCodesOf, problemsOf } from './draft.ts'
import type { MadeCodes } from './index.tsx'

type RedemptionDrawerProps = Readonly<{
  editing: RedemptionView | 'new'
  onMade: (made: MadeCodes) => void
  onClose: () => void
}>

/** Creates codes or edits an unused one. Remounted for each, so that no draft leaks. */
export function RedemptionDrawer({ editing, onMade, onClose }: RedemptionDrawerProps) {
  const { t } = useTranslation()
  const code = editing === 'new' ? undefined : editing
  const [first] = useState(() => draftOf(code))
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<DraftProblems>({})
  const { save, isBusy } = useSave(code, first, { onMade, onClose })
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setProblems({})
  }
  const submit = () => {
    const found = problemsOf(draft, code && first)
    setProblems(found)
    if (Object.keys(found).length === 0) save(draft)
  }
  return (
    <SideDrawer
      title={code ? t('redemption.editTitle', { name: code.name }) : t('redemption.add')}
      verb={code ? undefined : t('redemption.create')}
      isBusy={isBusy}
      isDirty={draft !== first}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields draft={draft} problems={problems} isNew={!code} onChange={change} />
    </SideDrawer>
  )
}

/** Creates or changes, then closes; on a refusal the drawer stays open with the input. */
function useSave(
  code: RedemptionView | undefined,
  first: Draft,
  { onMade, onClose }: Pick<RedemptionDrawerProps, 'onMade' | 'onClose'>,
): Readonly<{ save: (draft: Draft) => void; isBusy: boolean }> {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const [key] = useState(randomId)
  const create = useSend(calls.create)
  const update = useSend(calls.update)
  const finish = () => {
    onClose()
    showSuccess(t('update.ok'))
  }
  const save = (draft: Draft) => {
    if (code) {
      const input = { query: { status_only: false }, body: changeOf(code.id, draft, first) }
      return update.mutate(input, { onSuccess: finish })
    }
    const body = newCodesOf(draft, format(draft.quota ?? 0))
    const done = (keys: readonly string[]) => {
      onClose()
      onMade({ name: body.name, keys })
    }
    create.mutate({ body: { ...body, idempotency_key: key } }, { onSuccess: done })
  }
  return { save, isBusy: create.isPending || update.isPending }
}

type FieldsProps = Readonly<{
  draft: Draft
  problems: DraftProblems
  isNew: boolean
  onChange: (part: Partial<Draft>) => void
}>

function Fields({ draft, problems, isNew, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const errorOf = (field: keyof Draft) => problems[field] && t(problems[field])
  return (
    <>
      <TextField
        label={t('label.name')}
        name="name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        onValue={(name) => onChange({ name })}
        error={errorOf('name')}
        {...(isNew ? { hint: t('redemption.nameHint') } : {})}
      />
      <QuotaInput
        label={t('label.quota')}
        value={draft.quota}
        onValue={(quota) => onChange({ quota })}
        error={errorOf('quota')}
      />
      {isNew && (
        <>
          <NumberField
            label={t('redemption.count')}
            value={draft.count}
            onValue={(count) => onChange({ count })}
            min={1}
            max={1_000_000}
            hint={t('redemption.countHint', { max: MAX_CODES })}
            error={errorOf('count')}
          />
          <Presets
            label={t('redemption.countPresets')}
            presets={usualCounts.map((count) => ({ text: String(count), value: () => count }))}
            onChoose={(count) => onChange({ count })}
          />
        </>
      )}
      <ExpiryField value={draft.expiry} onValue={(expiry) => onChange({ expiry })} error={errorOf('expiry')} />
    </>
  )
}

const usualCounts = [10, 20, 50, 100] as const
