import type { FamilyName } from '../../../support/vendors/families.ts'

/** A known fault: the agents and the family concerned, its symptom and its cause. */
export type KnownHole = Readonly<{ agents: readonly string[]; family: FamilyName; fault: RegExp; why: string }>

/**
 * Every known hole, currently none. A fix must remove its line, since the test fails for holes that no longer exist.
 */
export const knownHoles: readonly KnownHole[] = []
