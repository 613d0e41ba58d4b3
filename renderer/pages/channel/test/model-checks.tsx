import { Button, Checkbox, Classes } from '@blueprintjs/core'
import { useTranslation } from '../../../translation.ts'
import { OutcomeTag, Verdicts } from './outcome-view.tsx'
import type { ModelTests } from './use-model-tests.ts'

type ModelChecksProps = Readonly<{
  models: readonly string[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  tests: ModelTests
  onTest: (model: string) => void
}>

export function ModelChecks({ models, chosen, onChoose, tests, onTest }: ModelChecksProps) {
  const { t } = useTranslation()
  if (models.length === 0) return <p className={Classes.TEXT_MUTED}>{t('channel.noModel')}</p>
  const count = models.filter((model) => chosen.has(model)).length
  const isAll = count === models.length
  const turn = (names: readonly string[], isOn: boolean) => {
    const others = [...chosen].filter((model) => !names.includes(model))
    onChoose(new Set(isOn ? [...others, ...names] : others))
  }
  return (
    <>
      <Checkbox
        className="test-dialog-all"
        label={t('test.chooseAll', { n: models.length })}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => turn(models, !isAll)}
      />
      <ul className="test-dialog-models">
        {models.map((model) => (
          <ModelLine
            key={model}
            model={model}
            tests={tests}
            onTest={() => onTest(model)}
            isChosen={chosen.has(model)}
            onTurn={(isOn) => turn([model], isOn)}
          />
        ))}
      </ul>
    </>
  )
}

type ModelLineProps = Readonly<{
  model: string
  tests: ModelTests
  onTest: () => void
  isChosen: boolean
  onTurn: (isOn: boolean) => void
}>

/** The outcome of a single test is announced; for a series, only its progress is announced. */
function ModelLine({ model, tests, onTest, isChosen, onTurn }: ModelLineProps) {
  const { t } = useTranslation()
  const outcome = tests.outcomes.get(model)
  const live = tests.series.length > 1 ? 'off' : 'polite'
  return (
    <li>
      <Checkbox
        aria-label={t('list.choose', { name: model })}
        checked={isChosen}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      <span className={`test-dialog-name ${Classes.MONOSPACE_TEXT}`}>{model}</span>
      <span className="test-dialog-outcome" role="status" aria-live={live}>
        {outcome && <OutcomeTag outcome={outcome} />}
      </span>
      <Button
        size="small"
        text={t('label.test')}
        aria-label={t('channel.testModel', { model })}
        disabled={tests.isRunning}
        onClick={onTest}
      />
      <div className="test-dialog-verdicts" role="status" aria-live={live}>
        {outcome?.state === 'done' && <Verdicts model={model} found={outcome.found} />}
      </div>
    </li>
  )
}
