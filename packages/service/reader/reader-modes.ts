/** Which messages are read a second time (TAMIS_READER): those near the threshold, all, or none. */
export const READER_MODES = ['doubtful', 'always', 'off'] as const

export type ReaderMode = (typeof READER_MODES)[number]
