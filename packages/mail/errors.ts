export { ERRORS, type ErrorCode, TamisError } from '../errors/errors.ts'
