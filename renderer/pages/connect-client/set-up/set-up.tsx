import './set-up.css'
import { Button, Callout, Classes } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { type ConnectClient, namedBySessions } from '../../../../shared/connect/client.ts'
import type {
  ConnectProblem,
  ConnectStatus,
  ConnectTrial,
  ConnectUndone,
} from '../../../../shared/connect/connect-protocol.ts'
import type { DesktopConnect } from '../../../../shared/desktop.ts'
import { isFocusFree } from '../../../components/focus-after.ts'
import { useTranslation } from '../../../translation.ts'
import type { Target } from '../snippets/snippet.ts'
import { FileChanges } from './file-changes.tsx'
import { type SetUpView, useSetUp } from './use-set-up.ts'

type SetUpProps = Readonly<{ connect: DesktopConnect; client: ConnectClient; target: Target }>

/**
 * Sets up a program on the desktop's computer: shows the changes first, then the result, with an undo
 * (docs/reference/connect.md).
 */
export function SetUp({ connect, client, target: { key, model } }: SetUpProps) {
  const { t } = useTranslation()
  const setUp = useSetUp(connect, { client: client.id, key, model })
  const { status, view, isBusy } = setUp
  const section = useRef<HTMLElement>(null)
  const first = useRef(view)
  // The pressed button disappears with its view: the section gets the focus, rather than a button of the new view.
  useEffect(() => {
    if (view !== first.current && isFocusFree()) section.current?.focus()
  }, [view])
  if (setUp.problem) return <Problem problem={setUp.problem} />
  if (!status) return null
  return (
    <section className="set-up" ref={section} tabIndex={-1} aria-label={t('setUp.here')}>
      <State status={status} name={client.name} isQuiet={view.at === 'done' || view.at === 'undone'} />
      {(view.at === 'rest' || view.at === 'plan') && <Tried client={client} />}
      <div role="status">
        <Outcome view={view} />
      </div>
      {view.at === 'plan' && view.plan.files.map((file) => <FileChanges key={file.path} file={file} />)}
      {view.at !== 'rest' && view.at !== 'undone' && <Variables client={client} target={{ key, model }} />}
      {((view.at === 'plan' && view.plan.files.length > 0) || status.isSetUp) && <Sessions client={client} />}
      {view.at === 'plan' && view.plan.files.length > 0 ? (
        <div key="plan" className="examples-foot">
          <Button
            intent="primary"
            loading={isBusy}
            text={t('setUp.write')}
            onClick={() => setUp.write(view.plan.seal)}
          />
          <Button disabled={isBusy} text={t('setUp.cancel')} onClick={setUp.rest} />
          <span className={Classes.TEXT_MUTED}>{t('setUp.cost')}</span>
        </div>
      ) : (
        <div key={view.at} className="examples-foot">
          <Button
            intent={status.isSetUp ? 'none' : 'primary'}
            loading={isBusy}
            text={t(status.isSetUp ? 'setUp.again' : 'setUp.here')}
            onClick={setUp.plan}
          />
          {status.isSetUp && <Button disabled={isBusy} text={t('setUp.undo')} onClick={setUp.undo} />}
        </div>
      )}
    </section>
  )
}

/**
 * The current state: what would be written where, that the program is set up, or that its files were changed by
 * something else.
 */
function State({ status, name, isQuiet }: Readonly<{ status: ConnectStatus; name: string; isQuiet: boolean }>) {
  const { t } = useTranslation()
  const files = status.paths.join(', ')
  if (status.isSetUp && status.isChanged)
    return (
      <Callout compact intent="warning">
        {t('setUp.changed', { files })}
      </Callout>
    )
  if (isQuiet) return null
  return <p>{status.isSetUp ? t('setUp.done', { program: name }) : t('setUp.about', { files })}</p>
}

/** The program version these settings were tested with, for comparison. */
function Tried({ client: { name: program, tried } }: Pick<SetUpProps, 'client'>) {
  const { t } = useTranslation()
  const note = tried === undefined ? t('setUp.untried', { program }) : t('setUp.tried', { program, version: tried })
  return <p className={Classes.TEXT_MUTED}>{note}</p>
}

function Outcome({ view }: { view: SetUpView }) {
  const { t } = useTranslation()
  if (view.at === 'problem') return <Problem problem={view.problem} />
  if (view.at === 'done') return <Trial trial={view.applied.trial} />
  if (view.at === 'undone') return <Undone undone={view.undone} />
  if (view.at !== 'plan') return null
  if (view.plan.files.length === 0) return <Callout compact>{t('setUp.already')}</Callout>
  if (!view.isMoved) return null
  return (
    <Callout compact intent="warning">
      {t('setUp.moved')}
    </Callout>
  )
}

function Undone({ undone: { exact, kept, leavesProvider } }: { undone: ConnectUndone }) {
  const { t } = useTranslation()
  const ours = kept > 0 ? t('setUp.undoneKept', { count: kept }) : t('setUp.undoneOurs')
  const all = leavesProvider ? t('setUp.undoneElse') : t('setUp.undone')
  return (
    <Callout compact>
      {exact ? all : ours} {leavesProvider && t('setUp.providerStays')}
    </Callout>
  )
}

function Trial({ trial }: { trial: ConnectTrial }) {
  const { t } = useTranslation()
  return (
    <Callout compact intent={trial.ok ? 'success' : 'danger'}>
      {trial.ok ? t('setUp.works', { ms: trial.ms }) : t('setUp.failed', { message: trial.message })}
    </Callout>
  )
}

function Problem({ problem }: { problem: ConnectProblem | null }) {
  const { t } = useTranslation()
  return (
    <Callout compact intent="danger" className="set-up-problem">
      {problem ? t(`setUp.${problem.problem}`, { path: problem.path, detail: problem.detail }) : t('setUp.noAnswer')}
    </Callout>
  )
}

/** What happens to a program's sessions if they name their provider; shown before writing and next to undo. */
function Sessions({ client }: Pick<SetUpProps, 'client'>) {
  const { t } = useTranslation()
  if (namedBySessions(client).length === 0) return null
  return <Callout compact>{t('setUp.sessions', { program: client.name })}</Callout>
}

/** Settings that only environment variables can hold. */
function Variables({ client, target }: Readonly<{ client: ConnectClient; target: Pick<Target, 'key' | 'model'> }>) {
  const { t } = useTranslation()
  const names = Object.keys(client.variables?.({ ...target, address: '' }) ?? {})
  return names.map((name) => (
    <Callout compact key={name}>
      {t('setUp.variable', { program: client.name, name })}
    </Callout>
  ))
}
