/** Kinds of attachments that the operator's rules name. The function that finds them is in attachments.ts. */

/**
 * - `exe`: a program, by its name or its first bytes.
 * - `script`: what an interpreter runs, also a script that Windows starts when it is opened.
 * - `iso`: a disk image.
 * - `lnk`: a shortcut, which starts whatever its sender likes.
 * - `macro`: a document of a type that can hold macros.
 * - `encrypted`: an archive with a password.
 */
export const ATTACHMENT_KINDS = ['exe', 'script', 'iso', 'lnk', 'macro', 'encrypted'] as const

export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number]
