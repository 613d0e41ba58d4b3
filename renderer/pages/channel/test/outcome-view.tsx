import { Classes, Spinner, Tag } from '@blueprintjs/core'
import type { DeepTestResult } from '../../../../shared/api/channel-runs.ts'
import { VerdictLine } from '../../../components/verdict-line/verdict-line.tsx'
import { useTranslation } from '../../../translation.ts'
import { type Outcome, parts } from './outcome.ts'

/** An outcome as a tag: the seconds, the failure, or the kind of model tested; a spinner while the test runs. */
export function OutcomeTag({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation()
  if (outcome.state === 'waiting') return <Spinner size={16} aria-label={t('state.loading')} />
  if (outcome.state === 'done') return <Tag minimal>{t(`test.kind.${outcome.found.kind}`)}</Tag>
  if (outcome.state === 'ok') {
    return (
      <Tag minimal intent="success" className="tabular">
        {t('channel.seconds', { n: outcome.seconds.toFixed(2) })}
      </Tag>
    )
  }
  return (
    <Tag fill minimal multiline intent="danger">
      {outcome.why}
    </Tag>
  )
}

/** Separate verdicts by call, and the upstream's model name if it differs. */
export function Verdicts({ model, found }: { model: string; found: DeepTestResult }) {
  const { t } = useTranslation()
  const isRenamed = found.upstream_model !== '' && found.upstream_model !== model
  return (
    <>
      {isRenamed && <div className={Classes.TEXT_MUTED}>{t('test.requestedAs', { name: found.upstream_model })}</div>}
      {found.kind === 'none' && <div className={Classes.TEXT_MUTED}>{t('test.untestable')}</div>}
      {parts.map((part) => (
        <Part key={part} found={found} part={part} />
      ))}
    </>
  )
}

/** The verdict on one call of a deep test; a failure that the plain call also had is not repeated. */
function Part({ found, part }: { found: DeepTestResult; part: (typeof parts)[number] }) {
  const { t } = useTranslation()
  const verdict = found[part]
  if (!verdict) return null
  const isSame = part !== 'plain' && !verdict.ok && verdict.code === found.plain?.code
  const shown = isSame && verdict.message === found.plain?.message ? { ...verdict, message: '' } : verdict
  return <VerdictLine name={t(`verdict.of.${part}`)} verdict={shown} text={isSame ? t('test.asBasic') : undefined} />
}
