/** What the fake upstream does for one model name. */
export type Plan =
  | { kind: 'plain' }
  | { kind: 'stream'; events: number; gapMs: number; burst: number; isCut: boolean }
  | { kind: 'refuse'; status: number }

/**
 * Events per turn in a stream without gaps: a saturating upstream writes several at once
 * (docs/reference/performance.md#rules-of-measuring).
 */
const saturatingBurst = 8

/** Every model that the cases use; the gateway under test gets a channel and a price for each. */
export const models = [
  'bench-json',
  'bench-stream-20',
  'bench-stream-200',
  'bench-stream-20-5',
  'bench-stream-40-25',
  'bench-stream-8-1000',
  'bench-cut-10',
  'bench-refuse-500',
]

const plans = new Map<string, Plan>()

/**
 * The plan a model name spells: `bench-stream-EVENTS[-GAP_MS[-BURST]]`, `bench-cut-…` likewise, `bench-refuse-STATUS`;
 * any other name gives a plain response.
 */
export function planOf(model: string): Plan {
  const known = plans.get(model)
  if (known) return known
  const plan = readPlan(model)
  plans.set(model, plan)
  return plan
}

/** Events without a gap come in bursts, paced events one by one, unless the name gives the burst. */
function readPlan(model: string): Plan {
  const [, kind, first, gap, burst] = /^bench-(stream|cut|refuse)-(\d+)(?:-(\d+))?(?:-(\d+))?$/.exec(model) ?? []
  if (!kind || !first) return { kind: 'plain' }
  if (kind === 'refuse') return { kind, status: Number(first) }
  const gapMs = Number(gap ?? 0)
  const perTurn = Number(burst ?? (gapMs > 0 ? 1 : saturatingBurst))
  return { kind: 'stream', events: Number(first), gapMs, burst: perTurn, isCut: kind === 'cut' }
}
