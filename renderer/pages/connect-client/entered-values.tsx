import { Callout, Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { useTranslation } from '../../translation.ts'
import type { Target } from './snippets/snippet.ts'

type EnteredValuesProps = Readonly<{
  hint: string
  note?: string | undefined
  action?: ReactNode
  target: Target
  maskedKey: string
}>

/** The values for a program's form; most programs append `/chat/completions` to the base URL themselves. */
export function EnteredValues({ hint, note, action, target: { address, key, model }, maskedKey }: EnteredValuesProps) {
  const { t } = useTranslation()
  return (
    <>
      {action && <div className="examples-foot examples-import">{action}</div>}
      <p>{hint}</p>
      <dl className="examples-values">
        <dt className={Classes.TEXT_MUTED}>{t('client.baseUrl')}</dt>
        <dd>
          <CopyValue value={`${address}/v1`} label={t('client.copyAddress')} />
        </dd>
        <dt className={Classes.TEXT_MUTED}>{t('client.key')}</dt>
        <dd>
          <CopyValue value={key} shown={maskedKey} label={t('client.copyKey')} />
        </dd>
        <dt className={Classes.TEXT_MUTED}>{t('client.model')}</dt>
        <dd>
          <CopyValue value={model} label={t('client.copySnippet', { name: model })} />
        </dd>
      </dl>
      {note && (
        <Callout compact className="examples-note">
          {note}
        </Callout>
      )}
    </>
  )
}
