import './test-dialog.css'
import {
  Button,
  Classes,
  Dialog,
  DialogBody,
  DialogFooter,
  InputGroup,
  ProgressBar,
  SegmentedControl,
} from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useState } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useTranslation } from '../../../translation.ts'
import { namesIn } from '../list/row.ts'
import { ModelChecks } from './model-checks.tsx'
import { type Depth, type Grade, tally } from './outcome.ts'
import { type ModelTests, useModelTests } from './use-model-tests.ts'

/** A channel's models, each with a test button and its outcome (docs/reference/screens.md#channels). */
export function TestDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState('')
  const [depth, setDepth] = useState<Depth>('plain')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
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
        <div className="test-dialog-head">
          <InputGroup
            autoFocus
            leftIcon={<Search />}
            placeholder={t('channel.findModel')}
            aria-label={t('channel.findModel')}
            value={wanted}
            onValueChange={setWanted}
          />
          <DepthChoice depth={depth} onDepth={setDepth} />
        </div>
        <p className={`test-dialog-hint ${Classes.TEXT_MUTED}`}>{t(`test.hint.${depth}`)}</p>
        <ModelChecks
          models={models}
          chosen={chosen}
          onChoose={setChosen}
          tests={tests}
          onTest={(model) => tests.run([model], depth)}
        />
      </DialogBody>
      <DialogFooter className="test-dialog-foot" actions={<Button text={t('label.close')} onClick={onClose} />}>
        <Series models={models} chosen={chosen} tests={tests} depth={depth} />
        <TestProgress tests={tests} />
      </DialogFooter>
    </Dialog>
  )
}

function DepthChoice({ depth, onDepth }: { depth: Depth; onDepth: (depth: Depth) => void }) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const depths = ['plain', 'full'] as const
  return (
    <SegmentedControl
      aria-label={t('test.depth')}
      fill={isNarrow}
      options={depths.map((value) => ({ value, label: t(`test.depth.${value}`) }))}
      value={depth}
      onValueChange={(value) => onDepth(value === 'full' ? 'full' : 'plain')}
    />
  )
}

type SeriesProps = Readonly<{
  models: readonly string[]
  chosen: ReadonlySet<string>
  tests: ModelTests
  depth: Depth
}>

function Series({ models, chosen, tests, depth }: SeriesProps) {
  const { t } = useTranslation()
  const ticked = models.filter((model) => chosen.has(model))
  const wanted = ticked.length > 0 ? ticked : models
  const label = ticked.length > 0 ? 'test.selected' : 'channel.testShown'
  if (tests.isRunning) return <Button text={t('channel.testStop')} onClick={tests.stop} />
  return (
    <Button
      text={t(label, { n: wanted.length })}
      disabled={wanted.length === 0}
      onClick={() => tests.run(wanted, depth)}
    />
  )
}

/** The progress of a series and its results; empty before the first series. */
function TestProgress({ tests: { series, outcomes, isRunning } }: { tests: ModelTests }) {
  const { t } = useTranslation()
  const counts = tally(series, outcomes)
  const done = grades.reduce((sum, grade) => sum + counts[grade], 0)
  const parts = grades
    .filter((grade) => counts[grade] > 0)
    .map((grade) => t(`test.grade.${grade}`, { n: counts[grade] }))
  const isSeries = series.length > 1
  return (
    <div className="test-dialog-progress">
      {isSeries && isRunning && (
        <ProgressBar
          aria-label={t('label.progress')}
          value={done / series.length}
          intent="primary"
          animate={false}
          stripes={false}
        />
      )}
      <span className={`tabular ${Classes.TEXT_MUTED}`} role="status">
        {isSeries && [t('test.progress', { n: done, total: series.length }), ...parts].join(' · ')}
      </span>
    </div>
  )
}

const grades = ['works', 'limited', 'fails', 'untestable'] as const satisfies readonly Grade[]
