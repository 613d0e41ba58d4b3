/** Whether this is the gate, which skips slow tests (CONTRIBUTING.md#two-speeds). */
export const isGate = process.env.TEST_SPEED === 'gate'

/** The number of runs of a property: a quarter in the gate. */
export const runs = (all: number): number => (isGate ? Math.ceil(all / 4) : all)
