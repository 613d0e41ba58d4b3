/** The name of the extra event that holds a citation of something without an address. */
export const CITATION = 'citation'

/** Members of a message besides its blocks that only this dialect has; each is an extra event of its name. */
export const asides = ['container', 'stop_details'] as const
