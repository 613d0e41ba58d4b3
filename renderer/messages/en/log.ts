/** Texts of the usage log, in English. */
export const log = {
}
