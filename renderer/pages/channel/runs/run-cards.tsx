import './run-cards.css'
import { later } from '../../../components/later.tsx'
import { useShownRuns } from './use-runs.ts'

const RunCard = later(async () => (await import('./run-card.tsx')).RunCard)

/** A card for each run over all channels that goes on or has ended lately, until it is dismissed; nothing without any. */
export function RunCards() {
  const { runs, isLost, dismiss } = useShownRuns()
  if (runs.length === 0) return null
  const takeAway = (run: (typeof runs)[number]) => {
    dismiss(run)
    // The button is gone with its card: the keyboard goes on at the page, not at the top of the window.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <div className="run-cards">
      {runs.map((run) => (
        <RunCard key={run.kind} run={run} isLost={isLost} onDismiss={() => takeAway(run)} />
      ))}
    </div>
  )
}
