import { Button, Classes, Radio, RadioGroup } from '@blueprintjs/core'
import { useRef } from 'react'
import { noticeTypes } from '../../../shared/api/own-account.ts'
import { useStatus } from '../../api/status.ts'
import { Presets } from '../../components/presets/presets.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { MailCodeField } from './mail-code-field.tsx'
import { useNoticeCode } from './use-mail-code.ts'
import type { PreferenceForm } from './use-preferences.ts'
import { WebhookHelp } from './webhook-help.tsx'

type NoticeFieldsProps = Readonly<{
  form: PreferenceForm
  /** The account's own address, or empty. */
  email: string
}>

export function NoticeFields({ form, email }: NoticeFieldsProps) {
  const { t } = useTranslation()
  const { now, change } = form
  return (
    <>
      <p className={Classes.TEXT_MUTED}>{t('personal.noticeHint')}</p>
      <Threshold form={form} />
      <RadioGroup
        className={Classes.FORM_GROUP}
        label={t('personal.noticeType')}
        selectedValue={now.notify_type}
        onChange={({ currentTarget }) =>
          change({ notify_type: noticeTypes.find((type) => type === currentTarget.value) ?? 'email' })
        }
      >
        {noticeTypes.map((type) => (
          <Radio key={type} value={type} label={t(`personal.noticeType.${type}`)} />
        ))}
      </RadioGroup>
      {now.notify_type === 'email' && (
        <div className="personal-fields">
          <TextField
            label={t('personal.noticeEmail')}
            type="email"
            autoComplete="email"
            placeholder={email}
            hint={email === '' ? t('personal.noticeEmailNone') : t('personal.noticeEmailOwn', { address: email })}
            value={now.notification_email}
            onValue={(address) => change({ notification_email: address })}
          />
          {form.isUnproven && <NoticeCode form={form} />}
        </div>
      )}
      {now.notify_type === 'webhook' && <Webhook form={form} />}
    </>
  )
}

/** A new address must be verified unless it is the account's. */
function NoticeCode({ form: { now, change, problems } }: { form: PreferenceForm }) {
  const field = useRef<HTMLInputElement>(null)
  const mail = useNoticeCode(() => field.current?.focus())
  return (
    <MailCodeField
      mail={mail}
      onRequest={() => mail.request(now.notification_email.trim())}
      inputRef={field}
      value={now.notification_code}
      onValue={(code) => change({ notification_code: code })}
      error={problems.notification_code}
    />
  )
}

function Threshold({ form: { now, change, problems } }: { form: PreferenceForm }) {
  const { t } = useTranslation()
  const { quota_per_unit: unit } = useStatus()
  const error = problems.quota_warning_threshold
  const presets = usualThresholds.map(({ quota, text }) => ({
    text: unit === USUAL_UNIT ? text : priced(quota, unit),
    value: () => quota,
  }))
  return (
    <>
      <div className="personal-fields">
        <QuotaInput
          label={t('personal.threshold')}
          isPlain
          value={now.quota_warning_threshold}
          onValue={(quota) => change({ quota_warning_threshold: quota })}
          error={error && t(error)}
        />
      </div>
      <Presets
        label={t('quota.presets')}
        presets={presets}
        onChoose={(quota) => change({ quota_warning_threshold: quota })}
      />
    </>
  )
}

const usualThresholds = [
  { quota: 100_000, text: '100000 (0.2$)' },
  { quota: 500_000, text: '500000 (1$)' },
  { quota: 1_000_000, text: '1000000 (5$)' },
  { quota: 5_000_000, text: '5000000 (10$)' },
] as const

/** The quota per dollar for which the labels are valid; otherwise they show the amount. */
const USUAL_UNIT = 500_000

const priced = (quota: number, unit: number): string => (unit > 0 ? `${quota} (${quota / unit}$)` : String(quota))

function Webhook({ form }: { form: PreferenceForm }) {
  const { t } = useTranslation()
  const { now, change, problems } = form
  return (
    <>
      <div className="personal-fields">
        <TextField
          label={t('personal.webhookUrl')}
          type="url"
          autoComplete="off"
          placeholder="https://example.com/webhook"
          hint={t('personal.webhookUrlHint')}
          value={now.webhook_url}
          onValue={(address) => change({ webhook_url: address })}
          error={problems.webhook_url && t(problems.webhook_url)}
        />
        <Secret form={form} />
      </div>
      <WebhookHelp />
    </>
  )
}

/** A write-only field: a stored secret is shown masked, stays unless something is typed, and can be removed. */
function Secret({ form: { now, stored, change } }: { form: PreferenceForm }) {
  const { t } = useTranslation()
  const mask = stored?.webhook_secret ?? ''
  const isRemoved = now.webhook_secret === null
  const remove = (
    <Button
      size="small"
      variant="minimal"
      text={t(isRemoved ? 'personal.secretKeep' : 'personal.secretRemove')}
      aria-label={t(isRemoved ? 'personal.secretKeepLong' : 'personal.secretRemoveLong')}
      onClick={() => change({ webhook_secret: isRemoved ? '' : null })}
    />
  )
  return (
    <TextField
      label={t('personal.webhookSecret')}
      type="password"
      autoComplete="new-password"
      placeholder={mask || t('personal.secretNone')}
      hint={t(isRemoved ? 'personal.secretRemoved' : 'personal.webhookSecretHint')}
      disabled={isRemoved}
      value={now.webhook_secret ?? ''}
      onValue={(secret) => change({ webhook_secret: secret })}
      {...(mask !== '' && { rightElement: remove })}
    />
  )
}
