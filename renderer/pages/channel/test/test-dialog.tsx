import './test-dialog.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter, InputGroup, Spinner, Tag } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { namesIn } from '../list/row.ts'
import { type ModelTests, useModelTests, type Verdict } from './use-model-tests.ts'

/** The models of a channel, each with a button that tests it and what came of that (spec/console.md §8.8). */
export function TestDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const { t } = useTranslation()
  const [wanted, want] = useState('')
  const tests = useModelTests(channel)
  const models = namesIn(channel.models).filter((model) => model.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <Dialog
      className="test-dialog fits-window"
      title={t('channel.testTitle', { name: channel.name })}
      isCloseButtonShown={false}
      isOpen
      onClose={onClose}
    >
      <DialogBody>
        <InputGroup
          autoFocus
          leftIcon={<Search />}
          placeholder={t('channel.findModel')}
          aria-label={t('channel.findModel')}
          value={wanted}
          onValueChange={want}
        />
        <ModelList models={models} tests={tests} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />}>
        {tests.isRunning ? (
          <Button text={t('channel.testStop')} onClick={tests.stop} />
        ) : (
          <Button
            text={t('channel.testShown', { n: models.length })}
            disabled={models.length === 0}
            onClick={() => tests.run(models)}
          />
        )}
      </DialogFooter>
    </Dialog>
  )
}

/** One line a model; a hundred at once are more than anybody tests. */
function ModelList({ models, tests }: { models: readonly string[]; tests: ModelTests }) {
  const { t } = useTranslation()
  if (models.length === 0) return <p className={Classes.TEXT_MUTED}>{t('channel.noModel')}</p>
  return (
    <ul className="test-dialog-models">
      {models.map((model) => (
        <li key={model}>
          <span className={`test-dialog-name ${Classes.MONOSPACE_TEXT}`}>{model}</span>
          <Outcome verdict={tests.verdicts.get(model)} />
          <Button
            size="small"
            text={t('label.test')}
            aria-label={t('channel.testModel', { model })}
            disabled={tests.isRunning}
            onClick={() => tests.run([model])}
          />
        </li>
      ))}
    </ul>
  )
}

/** What came of a test, told to screen readers as it arrives. */
function Outcome({ verdict }: { verdict: Verdict | undefined }) {
  return (
    <span className="test-dialog-outcome" role="status">
      {verdict && <Told verdict={verdict} />}
    </span>
  )
}

function Told({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation()
  if (verdict.state === 'waiting') return <Spinner size={16} aria-label={t('state.loading')} />
  if (verdict.state === 'ok') {
    return (
      <Tag minimal intent="success" className="tabular">
        {t('channel.seconds', { n: verdict.seconds.toFixed(2) })}
      </Tag>
    )
  }
  return (
    <Tag minimal multiline intent="danger">
      {verdict.why}
    </Tag>
  )
}
