/** A tenant's id: it stands in commands, in logs and in files of rules. */
export const TENANT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/
