import { options } from '../../shared/options/index.ts'

const { default: usual, bounds } = options.RetryTimes

/**
 * The default and the highest value of `RetryTimes` as declared, for tests that use it as an example of a number
 * option.
 */
export const retries = { usual, usualText: String(usual), max: bounds?.max ?? Number.NaN } as const
