/** A correction by what its user knows it by, for reasons that name it. */
export interface NamedCorrection {
  /** By this it can be withdrawn. */
  readonly feedbackId: string
  /** `spam` or `ham`, or a class. */
  readonly label: string
  readonly createdAt: Date
  /** The domain of the sender, if the message was authenticated. */
  readonly authenticatedDomain?: string
  /** The domain that a message claimed which was not authenticated. */
  readonly claimedDomain?: string
}

/** What names a correction, of what is known about it. */
export function namedCorrection({
  feedbackId,
  label,
  createdAt,
  authenticatedDomain,
  claimedDomain,
}: {
  readonly [Field in keyof NamedCorrection]: NamedCorrection[Field] | undefined
} & Pick<NamedCorrection, 'feedbackId' | 'label' | 'createdAt'>): NamedCorrection {
  return {
    ...{ feedbackId, label, createdAt },
    ...(authenticatedDomain !== undefined && { authenticatedDomain }),
    ...(claimedDomain !== undefined && { claimedDomain }),
  }
}
