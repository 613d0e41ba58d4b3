/** The version of iFlytek's Spark that nothing else was said for. */
const FIRST = 'v1.1'
const named = /^SparkDesk-(v\d+\.\d+)$/i

/**
 * The version of Spark a model's calls go to (docs/reference/channel-types.md#iflytek-spark): the one its name ends
 * with, else the channel's.
 */
export const sparkVersion = (model: string, other: string): string =>
  named.exec(model)?.[1]?.toLowerCase() ?? (other.trim() || FIRST)
