"""
What a request is and what its answer means, for both clients: nothing here waits for anything.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Mapping, Optional, Type, TypedDict, TypeVar, Union

import httpx

from .answers import FullResult, read
from .errors import TamisClientError

if TYPE_CHECKING:
    from .async_client import AsyncMessageBody
    from .client import MessageBody

#: Seconds: the queue (5), DNS (2) and a worker (3) may all take their longest, and the message has to arrive.
TIMEOUT_S = 15.0

#: Requests at a time: enough that the service is not idle between them, and fewer than its queue holds.
AT_ONCE = 8

#: Answers that ask to come again.
LATER = (429, 503)

#: Up to this share is added to a wait by chance, so that those who were refused together do not come back together.
WAIT_SPREAD = 0.25

#: A Retry-After in seconds; the service gives no dates.
SECONDS = re.compile(r"[0-9]{1,9}")

#: What no header may have in it.
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")

Answer = TypeVar("Answer")


class CallOptions(TypedDict, total=False):
    #: Longest time of the call, in seconds, in place of the client's own.
    timeout_s: Optional[float]


class Hop(CallOptions, total=False):
    """How the message came."""

    #: IPv4 or IPv6 address of the sending client.
    sender_ip: Optional[str]
    #: Envelope sender; '' and '<>' are the null sender.
    sender_email: Optional[str]
    #: The time to use if the topmost Received field has none; 'date' for mail from a folder.
    arrival_fallback: Optional[Literal["now", "date"]]


class Delivery(Hop, total=False):
    #: Recipient: the rules and corrections of this user apply.
    user_id: Optional[str]


class DirectedDelivery(Delivery, total=False):
    #: 'outgoing': the user sends the message.
    direction: Optional[Literal["incoming", "outgoing"]]


class ReasonsDelivery(Delivery, total=False):
    #: Also say which message it is, and why.
    summary: Optional[bool]


class RecipientsDelivery(Hop, total=False):
    summary: Optional[bool]


@dataclass(frozen=True)
class BatchResult:
    """What became of one message of several: a verdict, or an error."""

    #: Which message it was: 0 is the first.
    index: int
    #: The message as it was given; a stream has been read.
    input: Union[MessageBody, AsyncMessageBody]
    verdict: Optional[FullResult] = None
    error: Optional[TamisClientError] = None


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """A request, and what its answer is."""

    method: str
    path: str
    kind: Type[Answer]
    headers: tuple[tuple[bytes, bytes], ...] = ()
    content: Any = None
    timeout_s: Optional[float] = None


@dataclass(frozen=True)
class Settings:
    """Where the service is, and how it is asked."""

    base: str
    headers: tuple[tuple[bytes, bytes], ...]
    timeout_s: float
    retry: bool

    @staticmethod
    def of(url: str, key: Optional[str], language: Optional[str], timeout_s: float, retry: bool) -> Settings:
        """:raises ValueError: for a URL that is none of http or https, or that has a user, a query or a fragment."""
        parsed = httpx.URL(url)
        if parsed.scheme not in ("http", "https") or not parsed.host or parsed.userinfo or parsed.query or parsed.fragment:
            # Its text may have a password in it.
            raise ValueError("The URL of the service must look like http://host:port or https://host/path")
        check_timeout(timeout_s)
        headers = [] if key is None else [header("authorization", f"Bearer {key}")]
        if language is not None:
            headers.append(header("accept-language", language))
        return Settings(str(parsed).rstrip("/"), tuple(headers), timeout_s, retry)

    def time_of(self, call: Call[Any]) -> float:
        return self.timeout_s if call.timeout_s is None else check_timeout(call.timeout_s)


def message_call(
    path: str, message: Any, kind: Type[Answer], known: Any, options: Mapping[str, Any], **named: Any
) -> Call[Answer]:
    """
    A message is sent with what is known of it in headers.

    :param known: the TypedDict of `options`; a name that it does not have is refused.
    :param named: options that the method itself names.
    """
    if isinstance(message, str):
        raise TypeError("A message is bytes, not str: open the file with 'rb'")
    for name in options:
        if name not in known.__annotations__:
            raise TypeError(f"There is no option {name}; there are {', '.join(known.__annotations__)}")
    values = {**options, **named}
    timeout_s = values.pop("timeout_s", None)
    headers = [header(header_name(name), value) for name, value in values.items() if value is not None]
    return Call("POST", path, kind, ((b"content-type", b"message/rfc822"), *headers), message, timeout_s)


def json_call(
    method: str, path: str, kind: Type[Answer], body: Any = None, timeout_s: Optional[float] = None
) -> Call[Answer]:
    """The request `body`, if it is not None, is sent as JSON."""
    if body is None:
        return Call(method, path, kind, timeout_s=timeout_s)
    headers = ((b"content-type", b"application/json"),)
    return Call(method, path, kind, headers, json.dumps(body).encode(), timeout_s)


def header_name(option: str) -> str:
    """x-sender-ip of sender_ip."""
    return f"x-{option.replace('_', '-')}"


def header(name: str, value: Any) -> tuple[bytes, bytes]:
    """Header values are UTF-8; flags and lists are JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if CONTROL.search(text):
        raise ValueError(f"The value for {name} has a control character in it")
    return name.encode(), text.encode()


def answer_of(call: Call[Answer], response: httpx.Response, body: bytes) -> Answer:
    """
    What `call` asked for.

    :raises TamisClientError: if the answer is anything else.
    """
    if not response.is_success:
        raise _refusal(response, body)
    try:
        return read(call.kind, json.loads(body))
    except (KeyError, TypeError, ValueError) as error:
        raise TamisClientError("ANSWER_INVALID", "The answer is not what Tamis says") from error


def _refusal(response: httpx.Response, body: bytes) -> TamisClientError:
    status = response.status_code
    retry_after = response.headers.get("retry-after", "")
    retry_after_s = int(retry_after) if SECONDS.fullmatch(retry_after) else None
    try:
        fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("code"), str):
        text = f"The answer has status {status} and does not come from Tamis; is there a proxy in between?"
        return TamisClientError("ANSWER_INVALID", text, status=status, retry_after_s=retry_after_s)
    return TamisClientError(
        fields["code"],
        str(fields.get("error")),
        status=status,
        field=fields.get("field") or fields.get("header"),
        retry_after_s=retry_after_s,
        queue_depth=fields.get("queueDepth"),
    )


def wait_before_next(call: Call[Any], error: TamisClientError) -> Optional[float]:
    """Seconds after which to send the request again; None where that would not help, or cannot be: a stream is read once."""
    is_stream = call.content is not None and not isinstance(call.content, bytes)
    if is_stream or error.status not in LATER or error.retry_after_s is None or error.code == "ANSWER_INVALID":
        return None
    return error.retry_after_s * (1 + WAIT_SPREAD * random.random())


def check_timeout(timeout_s: float) -> float:
    if timeout_s > 0:
        return timeout_s
    raise ValueError(f"timeout_s is {timeout_s}; allowed: above 0")


def check_at_once(at_once: int) -> None:
    if at_once < 1:
        raise ValueError(f"at_once is {at_once}; allowed: at least 1")


def timed_out(timeout_s: float) -> TamisClientError:
    return TamisClientError("TIMEOUT", f"There was no whole answer within {timeout_s:g} s")


def unreachable(base: str, error: Exception) -> TamisClientError:
    return TamisClientError("UNREACHABLE", f"{base} did not answer: {error or type(error).__name__}")
