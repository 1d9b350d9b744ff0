/**
 * The language in which an answer tells of a verdict: the one that Accept-Language likes best (RFC 9110 §12.5.4), or
 * else that of the service.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { textsIn } from '../../mail/verdict/languages/languages.ts'
import { LANGUAGES, type Language, type Texts } from '../../mail/verdict/texts.ts'

/** Characters of the field that are looked at: browsers send a hundred. */
const ACCEPTED_LENGTH_MAX = 500

/** `*`, which `fetch` of Node sends, stands for the language of the service, as does a field that names none of ours. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>, own: Language): Language {
  const accepted = headers['accept-language']?.slice(0, ACCEPTED_LENGTH_MAX)
  if (accepted === undefined) return own
  const offered = [own, ...LANGUAGES.filter((language) => language !== own)]
  const asked = new Negotiator({ headers: { 'accept-language': accepted } }).language(offered)
  return (asked as Language | undefined) ?? own
}

/** Answers in the language asked for: what `answer` makes of its texts. A request that fails is answered in English. */
export async function inLanguage<Answer>(
  request: FastifyRequest,
  reply: FastifyReply,
  own: Language,
  answer: (texts: Texts) => Answer | Promise<Answer>,
): Promise<Answer> {
  const language = languageOf(request, own)
  const given = await answer(textsIn(language))
  reply.headers({ 'content-language': language, vary: 'Accept-Language' })
  return given
}
