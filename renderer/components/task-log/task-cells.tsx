import './task-cells.css'
import { Tag } from '@blueprintjs/core'
import { Band } from '../band/band.tsx'
import type { BandSteps } from '../band/bands.ts'
import { colourOf, type TagColour } from '../hash-tag/colour-of.ts'
import { HashTag } from '../hash-tag/hash-tag.tsx'
import { useDuration } from '../use-duration.ts'

/** Duration of a task, in seconds: under a minute is fine (docs/reference/screens.md#drawing-and-task-logs). */
const elapsedSteps: BandSteps = [{ below: 60, colour: 'green' }]

/** Time from submission to end; a dash while running. */
export function Elapsed({ submittedMs, finishedMs }: Readonly<{ submittedMs: number; finishedMs: number }>) {
  const duration = useDuration()
  if (finishedMs <= 0 || submittedMs <= 0) return <span>—</span>
  const tookMs = Math.max(0, finishedMs - submittedMs)
  return <Band value={tookMs / 1000} steps={elapsedSteps} format={(seconds) => duration(seconds * 1000)} />
}

export const ChannelId = ({ id }: { id: number }) =>
  id > 0 ? <HashTag text={String(id)} colour={colourOf(String(id))} /> : <span>—</span>

export const KindTag = ({ text, colour }: Readonly<{ text: string; colour: TagColour | undefined }>) =>
  colour ? <HashTag text={text} colour={colour} /> : <Tag minimal>{text}</Tag>

/** Parses a progress such as `30%` to a fraction; undefined if it is not a number. */
export function shareOf(progress: string): number | undefined {
  const percent = Number(/^(\d{1,3})(?:\.\d+)?%$/.exec(progress)?.[1])
  return Number.isFinite(percent) ? Math.min(percent, 100) / 100 : undefined
}
