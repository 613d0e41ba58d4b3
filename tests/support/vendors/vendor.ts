import type { z } from 'zod'
import type { Figures, Said } from '../said.ts'
import type { Recorded, Script } from '../upstream.ts'

/** A vendor that holds requests against its published schema and answers in its own words. */
export type Vendor = Readonly<{
  /** What the vendor would refuse about a request; empty where it takes it. */
  faults(request: Recorded): readonly string[]
  /** Members that the vendor takes and leaves aside without a word; none where it refuses what it does not know. */
  leavesAside?(request: Recorded): readonly string[]
  /** The names of the functions that may be called. */
  tools(request: Recorded): readonly string[]
  /** Whether it thinks before it answers the request, and says so. */
  thinks(request: Recorded): boolean
  /** An answer, streamed where the request asks for a stream. */
  says(request: Recorded, said: Said, figures?: Figures): Script
  /** An error in the vendor's form. */
  refuses(request: Recorded, status: number, message: string): Script
}>

/** What a schema finds wrong with a value, a line each. */
export function faultsIn(schema: z.ZodType, value: unknown): string[] {
  return linesOf(schema.safeParse(value).error?.issues ?? [])
}

const linesOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)

/** Where a value has members that a schema does not know, wherever they stand. */
export function unknownMembers(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key].filter((step) => typeof step === 'string').join('.'))
      : [],
  )
}

/** What a schema finds wrong with a value but for members that it does not know. */
export function otherFaultsIn(schema: z.ZodType, value: unknown): string[] {
  const issues = schema.safeParse(value).error?.issues ?? []
  return linesOf(issues.filter(({ code }) => code !== 'unrecognized_keys'))
}

/** The rule where it does not hold, else nothing. */
export const rule = (holds: boolean, says: string): string[] => (holds ? [] : [says])
