"""The client for programs that wait for their answers. It may be used by several threads."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Literal, Optional, Sequence, Type, TypeVar, Union
from urllib.parse import quote

import httpx

from . import answers
from .answers import MessageClass, RuleType
from .errors import TamisClientError
from .exchange import (
    AT_ONCE,
    TIMEOUT_S,
    BatchResult,
    Call,
    Delivery,
    DirectedDelivery,
    Hop,
    ReasonsDelivery,
    RecipientsDelivery,
    Settings,
    answer_of,
    check_at_once,
    json_call,
    message_call,
    timed_out,
    unreachable,
    wait_before_next,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: The bytes of a message, at once or piece by piece: a file opened with 'rb', or anything that gives bytes.
#: What comes piece by piece is sent as it comes, and once: it cannot be read again.
MessageBody = Union[bytes, Iterable[bytes]]

#: Seconds: httpx takes no time of 0.
WAIT_S_MIN = 0.001

Answer = TypeVar("Answer")


class TamisClient:
    """
    :param url: where the service is, with the path in front of its own, if there is one.
    :param key: API key; none where the service needs none.
    :param language: in which verdicts are told, as Accept-Language has it; by default that of the service.
    :param timeout_s: longest time of a call, waits between two attempts included, in seconds. An answer that
        trickles in may take twice as long.
    :param retry: whether a request that the service has no room for now (503 or 429 with Retry-After) is
        sent again when that time is over, as long as the time limit allows. A stream is never sent again.
    :param http: in place of a client of httpx that uses neither proxies nor certificates of the environment;
        whoever gives one closes it.
    """

    def __init__(
        self,
        url: str,
        *,
        key: Optional[str] = None,
        language: Optional[str] = None,
        timeout_s: float = TIMEOUT_S,
        retry: bool = True,
        http: Optional[httpx.Client] = None,
    ) -> None:
        self._settings = Settings.of(url, key, language, timeout_s, retry)
        self._http = http or httpx.Client(trust_env=False)
        self._owns_http = http is None

    def __enter__(self) -> TamisClient:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections."""
        if self._owns_http:
            self._http.close()

    def classify_stream(self, message: MessageBody, **options: Unpack[DirectedDelivery]) -> answers.FullResult:
        """Full classification: spam verdict and message class."""
        return self._message("/classify-stream", message, answers.FullResult, DirectedDelivery, options)

    def classify_all(
        self, messages: Iterable[MessageBody], *, at_once: int = AT_ONCE, **options: Unpack[DirectedDelivery]
    ) -> Iterator[BatchResult]:
        """
        One result for each of `messages`, in their order. A message that the service refuses has its error,
        and the others go on. Messages are taken from `messages` only as fast as they are judged.

        :param at_once: messages in progress at a time, each on a thread of its own.
        """
        check_at_once(at_once)

        def judge(index: int, message: MessageBody) -> BatchResult:
            try:
                return BatchResult(index, message, verdict=self.classify_stream(message, **options))
            except TamisClientError as error:
                return BatchResult(index, message, error=error)

        waiting: deque[Future[BatchResult]] = deque()
        with ThreadPoolExecutor(at_once) as threads:
            try:
                for index, message in enumerate(messages):
                    waiting.append(threads.submit(judge, index, message))
                    if len(waiting) >= at_once:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for each in waiting:
                    each.cancel()

    def classify_stream_recipients(
        self, message: MessageBody, *, user_ids: Sequence[str], **options: Unpack[RecipientsDelivery]
    ) -> answers.RecipientsResult:
        """Full classification of one message for each of several recipients, up to 100."""
        return self._message(
            "/classify-stream/recipients",
            message,
            answers.RecipientsResult,
            RecipientsDelivery,
            options,
            user_ids=list(user_ids),
        )

    def classify_stream_reasons(
        self, message: MessageBody, **options: Unpack[ReasonsDelivery]
    ) -> answers.ReasonsResult:
        """Full classification, with a score and the reasons that add up to it."""
        return self._message(
            "/classify-stream/reasons", message, answers.ReasonsResult, ReasonsDelivery, options
        )

    def tabs_classify_stream(self, message: MessageBody, **options: Unpack[Delivery]) -> answers.TabsResult:
        """Message class only."""
        return self._message("/tabs/classify-stream", message, answers.TabsResult, Delivery, options)

    def diagnostic_stream(self, message: MessageBody, **options: Unpack[Delivery]) -> dict[str, Any]:
        """Everything that led to a verdict, as sent; the fields may vary between versions."""
        return self._message("/classify/diagnostic-stream", message, dict, Delivery, options)

    def embed_text(self, text: str, *, timeout_s: Optional[float] = None) -> list[float]:
        """384 numbers."""
        return self._embed({"text": text}, timeout_s).embedding or []

    def embed_texts(self, texts: Sequence[str], *, timeout_s: Optional[float] = None) -> list[list[float]]:
        """The same for up to 256 texts, in their order."""
        return self._embed({"texts": list(texts)}, timeout_s).embeddings or []

    def feedback_stream(
        self,
        message: MessageBody,
        *,
        user_id: str,
        is_spam: bool,
        skip_rule_creation: Optional[bool] = None,
        **options: Unpack[Hop],
    ) -> answers.SpamFeedbackResult:
        """A user corrects a verdict: spam or not."""
        return self._message(
            "/feedback-stream",
            message,
            answers.SpamFeedbackResult,
            Hop,
            options,
            user_id=user_id,
            is_spam=is_spam,
            skip_rule_creation=skip_rule_creation,
        )

    def tabs_feedback_stream(
        self,
        message: MessageBody,
        *,
        user_id: str,
        classification: Union[MessageClass, Literal["automatic"]],
        **options: Unpack[Hop],
    ) -> answers.TabsFeedbackResult:
        """A user corrects a class; `automatic` withdraws the correction."""
        return self._message(
            "/tabs/feedback-stream",
            message,
            answers.TabsFeedbackResult,
            Hop,
            options,
            user_id=user_id,
            classification=classification,
        )

    def withdraw_feedback_stream(
        self, message: MessageBody, *, user_id: str, **options: Unpack[Hop]
    ) -> answers.WithdrawnFeedback:
        """A user withdraws a correction of this message, spam or not."""
        return self._message(
            "/feedback/withdraw-stream", message, answers.WithdrawnFeedback, Hop, options, user_id=user_id
        )

    def remove_feedback(
        self, feedback_id: str, *, timeout_s: Optional[float] = None
    ) -> answers.RemovedFeedback:
        """Withdraws one correction, as if it had never been made."""
        path = f"/feedback/{quote(feedback_id, safe='')}"
        return self._json("DELETE", path, answers.RemovedFeedback, None, timeout_s)

    def create_rule_stream(
        self,
        message: MessageBody,
        *,
        user_id: str,
        rule_type: RuleType,
        label: Literal["ham", "spam"],
        **options: Unpack[Hop],
    ) -> answers.SpamRule:
        """A rule about spam, with its pattern taken from the message."""
        return self._message(
            "/personalization/rules/create-stream",
            message,
            answers.SpamRule,
            Hop,
            options,
            user_id=user_id,
            rule_type=rule_type,
            label=label,
        )

    def create_rule(
        self,
        *,
        user_id: str,
        rule_type: RuleType,
        pattern: str,
        label: Literal["ham", "spam"],
        timeout_s: Optional[float] = None,
    ) -> answers.SpamRule:
        """A rule about spam by its pattern."""
        body = {"userId": user_id, "ruleType": rule_type, "pattern": pattern, "label": label}
        return self._json("POST", "/personalization/rules", answers.SpamRule, body, timeout_s)

    def rules(self, user_id: str, *, timeout_s: Optional[float] = None) -> answers.SpamRules:
        """All rules of a user about spam."""
        path = f"/personalization/rules?userId={quote(user_id, safe='')}"
        return self._json("GET", path, answers.SpamRules, None, timeout_s)

    def remove_rule(
        self, *, user_id: str, rule_type: RuleType, pattern: str, timeout_s: Optional[float] = None
    ) -> answers.RemovedRules:
        """Removes a rule about spam."""
        body = {"userId": user_id, "ruleType": rule_type, "pattern": pattern}
        return self._json("DELETE", "/personalization/rules/remove", answers.RemovedRules, body, timeout_s)

    def create_tabs_rule(
        self,
        *,
        user_id: str,
        rule_type: RuleType,
        pattern: str,
        classification: MessageClass,
        timeout_s: Optional[float] = None,
    ) -> answers.ClassRule:
        """A rule about classes by its pattern."""
        body = {"userId": user_id, "ruleType": rule_type, "pattern": pattern, "classification": classification}
        return self._json("POST", "/personalization/tabs/rules", answers.ClassRule, body, timeout_s)

    def tabs_rules(self, user_id: str, *, timeout_s: Optional[float] = None) -> answers.ClassRules:
        """All rules of a user about classes."""
        path = f"/personalization/tabs/rules?userId={quote(user_id, safe='')}"
        return self._json("GET", path, answers.ClassRules, None, timeout_s)

    def remove_tabs_rule(
        self, *, user_id: str, rule_type: RuleType, pattern: str, timeout_s: Optional[float] = None
    ) -> answers.RemovedRules:
        """Removes a rule about classes."""
        body = {"userId": user_id, "ruleType": rule_type, "pattern": pattern}
        return self._json(
            "DELETE", "/personalization/tabs/rules/remove", answers.RemovedRules, body, timeout_s
        )

    def memory(self, user_id: str, *, timeout_s: Optional[float] = None) -> answers.MemoryResult:
        """The corrections of a user: times, labels and senders' domains, no text."""
        path = f"/personalization/memory?userId={quote(user_id, safe='')}"
        return self._json("GET", path, answers.MemoryResult, None, timeout_s)

    def delete_data(self, user_id: str, *, timeout_s: Optional[float] = None) -> answers.DeletedData:
        """Forgets a user: rules, memory, correspondents, and corrections about spam and classes."""
        body = {"userId": user_id}
        return self._json("DELETE", "/personalization/data", answers.DeletedData, body, timeout_s)

    def health(self, *, timeout_s: Optional[float] = None) -> answers.Health:
        """Whether the process is running."""
        return self._json("GET", "/health", answers.Health, None, timeout_s)

    def request(self, method: str, path: str, body: Any = None, *, timeout_s: Optional[float] = None) -> Any:
        """
        Any other operation of docs/openapi.json that answers JSON, as sent.

        :param path: with its query: '/users?search=ann'.
        :param body: what is sent as JSON; None sends nothing.
        """
        return self._json(method, path, object, body, timeout_s)

    def _embed(self, body: Any, timeout_s: Optional[float]) -> answers.EmbedTextResult:
        return self._json("POST", "/classify/embed-text", answers.EmbedTextResult, body, timeout_s)

    def _message(
        self, path: str, message: MessageBody, kind: Type[Answer], known: Any, options: Any, **named: Any
    ) -> Answer:
        return self._answer(message_call(path, message, kind, known, options, **named))

    def _json(
        self, method: str, path: str, kind: Type[Answer], body: Any, timeout_s: Optional[float]
    ) -> Answer:
        return self._answer(json_call(method, path, kind, body, timeout_s))

    def _answer(self, call: Call[Answer]) -> Answer:
        timeout_s = self._settings.time_of(call)
        until = time.monotonic() + timeout_s
        while True:
            try:
                return self._exchange(call, until, timeout_s)
            except TamisClientError as error:
                wait = wait_before_next(call, error) if self._settings.retry else None
                if wait is None or time.monotonic() + wait >= until:
                    raise
            time.sleep(wait)

    def _exchange(self, call: Call[Answer], until: float, timeout_s: float) -> Answer:
        body = bytearray()
        try:
            with self._http.stream(
                call.method,
                self._settings.base + call.path,
                headers=[*self._settings.headers, *call.headers],
                content=call.content,
                # A message goes to the service it was meant for and nowhere else.
                follow_redirects=False,
                timeout=max(until - time.monotonic(), WAIT_S_MIN),
            ) as response:
                for piece in response.iter_bytes():
                    body += piece
                    if time.monotonic() > until:
                        raise timed_out(timeout_s)
        except httpx.TimeoutException as error:
            raise timed_out(timeout_s) from error
        except httpx.TransportError as error:
            raise unreachable(self._settings.base, error) from error
        return answer_of(call, response, bytes(body))
