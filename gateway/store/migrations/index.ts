import type { Migration } from './column.ts'
import { conversationParts } from './conversation-parts.ts'
import { initial } from './initial/initial.ts'
import { nodeFigures } from './node-figures.ts'
import { sharedState } from './shared-state.ts'
import { slices } from './slices.ts'

/** The version of the first entry of `migrations`; earlier versions were never released. */
export const FIRST_VERSION = 30

/** In ascending order, one version per entry. Append only. */
export const migrations: readonly Migration[] = [initial, conversationParts, slices, sharedState, nodeFigures]
