import { between, choice, flag } from './kinds.ts'
import { option } from './option.ts'

/** Who may view stored bodies: the super administrator, all administrators, or also the caller. */
const bodyViewers = ['root', 'admin', 'owner'] as const

/** Bodies of calls, stored if a setting of the token or channel requires it (docs/reference/bodies.md). */
export const keptBodies = {
  KeepBodiesEnabled: option({ ...flag, default: false, panel: 'operation/bodies', publishAs: 'keep_bodies' }),
  /** Kibibytes per body; longer ones are truncated. */
  KeepBodiesLargest: option({ ...between(1, 1024), default: 256, panel: 'operation/bodies' }),
  /** Hours for which bodies are stored. */
  KeepBodiesHours: option({
    ...between(1, 720),
    default: 24,
    panel: 'operation/bodies',
    publishAs: 'keep_bodies_hours',
  }),
  /** Mebibytes of the database for all bodies; the oldest are deleted first. */
  KeepBodiesSize: option({ ...between(1, 10_240), default: 256, panel: 'operation/bodies' }),
  KeepBodiesViewers: option({
    ...choice(bodyViewers),
    default: 'root',
    panel: 'operation/bodies',
    publishAs: 'keep_bodies_viewers',
  }),
}
