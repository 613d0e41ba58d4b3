import { options } from '../../shared/options/index.ts'

const { default: usual, bounds } = options.RetryTimes

/** What `RetryTimes` is and may be as declared, for tests that take it as an example of any number: its default, and its highest value. */
export const retries = { usual, usualText: String(usual), max: bounds?.max ?? Number.NaN } as const
