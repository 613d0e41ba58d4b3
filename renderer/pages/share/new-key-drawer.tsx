import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { guestKey, MAX_GUEST_DAYS } from '../../../shared/api/guest-key.ts'
import type { ShareView } from '../../../shared/api/share.ts'
import { user } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { formatTime, parseTime } from '../../components/date-time.ts'
import { useGroupLabel } from '../../components/group-name.ts'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { Select } from '../../components/select.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { TagListInput } from '../../components/tag-list-input/tag-list-input.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { MadeKey } from './made-key.tsx'

type Draft = Readonly<{
  name: string
  group: string
  models: readonly string[]
  quota: number | undefined
  span: Span
  date: string
}>
type Span = 'hour' | 'day' | 'week' | 'date'
type Made = ApiAnswer<typeof guestKey.create>

export function NewKeyDrawer({ view, onClose }: Readonly<{ view: ShareView; onClose: () => void }>) {
  const { t } = useTranslation()
  const { quota_per_unit: unit } = useStatus()
  const { mutate, isPending } = useSend(guestKey.create)
  const [made, setMade] = useState<Made>()
  const [isTried, setTried] = useState(false)
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(unit))
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more })
  const endsAt = endOf(draft)
  const wrong = {
    name: draft.name.trim() === '',
    quota: draft.quota === undefined || draft.quota <= 0,
    date: !isSoon(endsAt),
  }
  const make = () => {
    setTried(true)
    const { name, group, models, quota } = draft
    if (wrong.name || wrong.quota || wrong.date || quota === undefined || endsAt === undefined) return
    mutate(
      { body: { name: name.trim(), group, models: [...models], quota, expires_at: endsAt } },
      { onSuccess: setMade },
    )
  }
  if (made) return <MadeKey made={made} view={view} onClose={onClose} />
  return (
    <SideDrawer
      title={t('sharing.newKeyTitle')}
      verb={t('sharing.make')}
      isBusy={isPending}
      isDirty={draft.name !== '' || draft.models.length > 0}
      onClose={onClose}
      onSubmit={make}
    >
      <TextField
        label={t('sharing.keyName')}
        autoComplete="off"
        maxLength={30}
        value={draft.name}
        onValue={(name) => change({ name })}
        error={isTried && wrong.name ? t('sharing.keyNameWrong') : undefined}
      />
      <Access draft={draft} onChange={change} />
      <QuotaInput
        label={t('label.quota')}
        value={draft.quota}
        onValue={(quota) => change({ quota })}
        error={isTried && wrong.quota ? t('sharing.quotaWrong') : undefined}
      />
      <End draft={draft} onChange={change} isWrong={isTried && wrong.date} />
    </SideDrawer>
  )
}

const emptyDraft = (unit: number): Draft => ({
  name: '',
  group: '',
  models: [],
  quota: Math.max(1, Math.round(unit)),
  span: 'day',
  date: '',
})

const DAY_S = 86_400
const seconds = { hour: 3600, day: DAY_S, week: 7 * DAY_S } as const
const now = () => Math.floor(Date.now() / 1000)

const endOf = ({ span, date }: Draft): number | undefined =>
  span === 'date' ? parseTime(date.replace('T', ' ')) : now() + seconds[span]

const isSoon = (at: number | undefined): boolean =>
  at !== undefined && at > now() && at <= now() + MAX_GUEST_DAYS * DAY_S

type PartProps = Readonly<{ draft: Draft; onChange: (more: Partial<Draft>) => void }>

function Access({ draft, onChange }: PartProps) {
  const { t } = useTranslation()
  const id = useId()
  const labelOf = useGroupLabel()
  const { data: groups = {} } = useCall(user.ownGroups, {})
  const { data: models = [] } = useCall(user.models, {})
  const options = [
    { value: '', label: t('token.groupOwn') },
    ...Object.entries(groups).map(([name, { desc }]) => ({ value: name, label: labelOf(name, desc) })),
  ]
  return (
    <>
      <FormGroup label={t('label.group')} labelFor={id}>
        <Select
          id={id}
          fill
          value={draft.group}
          options={options}
          onChange={(event) => onChange({ group: event.currentTarget.value })}
        />
      </FormGroup>
      <TagListInput
        label={t('sharing.models')}
        hint={t('sharing.modelsHint')}
        values={draft.models}
        onValues={(chosen) => onChange({ models: chosen })}
        suggestions={models}
      />
    </>
  )
}

function End({ draft, onChange, isWrong }: PartProps & Readonly<{ isWrong: boolean }>) {
  const { t } = useTranslation()
  const id = useId()
  const spans: readonly Span[] = ['hour', 'day', 'week', 'date']
  return (
    <>
      <FormGroup label={t('sharing.expiry')} labelFor={id}>
        <Select
          id={id}
          fill
          value={draft.span}
          options={spans.map((value) => ({ value, label: t(`sharing.${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            // Prefilled with a month.
            onChange({ span: value as Span, date: formatTime(now() + 30 * DAY_S).slice(0, 16) })
          }
        />
      </FormGroup>
      {draft.span === 'date' && (
        <FormGroup
          label={t('sharing.dateField')}
          labelFor={`${id}-date`}
          intent={isWrong ? 'danger' : 'none'}
          helperText={isWrong && <span id={`${id}-note`}>{t('sharing.dateWrong', { days: MAX_GUEST_DAYS })}</span>}
        >
          <InputGroup
            id={`${id}-date`}
            type="datetime-local"
            fill
            value={draft.date.replace(' ', 'T')}
            onValueChange={(date) => onChange({ date })}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? `${id}-note` : undefined}
          />
        </FormGroup>
      )}
    </>
  )
}
