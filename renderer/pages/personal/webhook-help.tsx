import { Classes } from '@blueprintjs/core'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

/** The payload of a webhook (docs/reference/accounts.md#notices). */
export function WebhookHelp() {
  const { t } = useTranslation()
  return (
    <details className="personal-help">
      <summary>{t('personal.webhookHelp')}</summary>
      <p>{t('personal.webhookHelpBody')}</p>
      <Parts parts={fields} />
      <p>{t('personal.webhookHelpHeaders')}</p>
      <Parts parts={headers} />
    </details>
  )
}

type Part = Readonly<{ name: string; text: TextKey }>

function Parts({ parts }: { parts: readonly Part[] }) {
  const { t } = useTranslation()
  return (
    <dl className="personal-parts">
      {parts.map(({ name, text }) => (
        <div key={name}>
          <dt className={Classes.MONOSPACE_TEXT}>{name}</dt>
          <dd>{t(text)}</dd>
        </div>
      ))}
    </dl>
  )
}

const fields: readonly Part[] = [
  { name: 'type', text: 'personal.webhookType' },
  { name: 'title', text: 'personal.webhookTitle' },
  { name: 'content', text: 'personal.webhookContent' },
  { name: 'values', text: 'personal.webhookValues' },
  { name: 'timestamp', text: 'personal.webhookTimestamp' },
]

const headers: readonly Part[] = [
  { name: 'X-Webhook-Signature', text: 'personal.webhookSignature' },
  { name: 'Authorization: Bearer …', text: 'personal.webhookBearer' },
]
