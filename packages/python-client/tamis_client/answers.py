"""
What the service answers, in types with the names of docs/openapi.json: `isSpam` is `is_spam` here.

A field that a newer service adds is left out, and one that it may leave out is None. Times are text, as
sent: '2026-11-21T19:10:02.156Z'.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Any, Literal, Mapping, Optional, Type, TypeVar, Union, get_args, get_origin, get_type_hints

MessageClass = Literal["primary", "promotions", "updates", "transactions"]
RuleType = Literal["Sender", "List", "Thread", "Template"]
BypassReason = Literal["phishtank_match", "user_rule", "knn_memory", "parse_error"]


@dataclass(frozen=True)
class FullResult:
    """Spam verdict and class."""

    is_spam: bool
    #: 0 is not spam, 1 is definitely spam.
    spam_probability: float
    #: Of spam too, which is filed by `is_spam` and not by its class.
    classification: MessageClass
    text_spam_score: float
    meta_spam_score: float
    confidence_margin: float
    entropy: float
    disagreement: float
    #: True when human review is recommended.
    should_escalate: bool
    #: Set when a rule overrode the model.
    bypass_reason: Optional[BypassReason]
    sender_authenticated: bool


@dataclass(frozen=True)
class _RecipientUser:
    user_id: str


@dataclass(frozen=True)
class RecipientResult(FullResult, _RecipientUser):
    """The verdict for one recipient."""

    #: Spam probability from which spam for this user is to be refused, or "never"; None if the tenant has not set it.
    reject_at: Union[float, Literal["never"], None] = None
    #: The same for holding it.
    quarantine_at: Union[float, Literal["never"], None] = None


@dataclass(frozen=True)
class SummaryReason:
    name: str
    #: Log-odds; negative values are evidence against spam.
    points: float
    description: str


@dataclass(frozen=True)
class MessageSummary:
    """Identity of the message, and the strongest reasons in it; with `summary=True`."""

    message_id: str
    sender_domain: str
    reasons: list[SummaryReason]
    sentence: Optional[str] = None
    #: For log lines; absent if the answer is in English.
    sentence_in_english: Optional[str] = None


@dataclass(frozen=True)
class RecipientsResult:
    #: The verdict for a user without corrections.
    shared: FullResult
    #: The verdict for each user, in their order.
    recipients: list[RecipientResult]
    summary: Optional[MessageSummary] = None
    #: The name under which the history keeps the message.
    reference: Optional[str] = None


@dataclass(frozen=True)
class Reason:
    name: str
    #: They add up to the score.
    points: float
    description: Optional[str] = None
    #: May contain words of the message.
    evidence: Optional[str] = None


@dataclass(frozen=True)
class ReasonsResult(FullResult):
    """Spam verdict and class, with a score and its reasons."""

    score: float
    #: Score from which a message is spam.
    required_score: float
    #: The strongest first.
    reasons: list[Reason]
    sentence: Optional[str] = None
    summary: Optional[MessageSummary] = None
    #: The name under which the history keeps the message.
    reference: Optional[str] = None


@dataclass(frozen=True)
class TabsResult:
    """The class."""

    classification: MessageClass
    confidence: float
    #: Of each class; they sum to 1.
    classification_probabilities: Mapping[str, float]
    #: Set when personalization was applied.
    personalization_source: Optional[Literal["tabs_rule", "tabs_knn"]]
    elapsed_ms: int


@dataclass(frozen=True)
class SpamFeedbackResult:
    #: `already_recorded`: nothing has changed.
    status: Literal["success", "personalization_only", "already_recorded"]
    user_id: str
    #: To withdraw the correction: `remove_feedback`.
    feedback_id: str


@dataclass(frozen=True)
class TabsFeedbackResult:
    status: Literal["success", "reset", "already_recorded"]
    user_id: str
    classification: Literal["primary", "promotions", "updates", "transactions", "automatic"]
    feedback_id: str


@dataclass(frozen=True)
class WithdrawnFeedback:
    #: `none`: the user had not corrected this message.
    status: Literal["removed", "none"]
    user_id: str


@dataclass(frozen=True)
class RemovedFeedback:
    status: Literal["removed"]
    feedback_id: str


@dataclass(frozen=True)
class SpamRule:
    id: str
    user_id: str
    rule_type: RuleType
    label: Literal["ham", "spam"]
    pattern: str
    #: `correction`: made automatically from a correction.
    source: Literal["explicit", "correction"]
    #: True when it was not made from an authenticated message.
    unverified: bool
    created_at: str


@dataclass(frozen=True)
class SpamRules:
    user_id: str
    rules: list[SpamRule]


@dataclass(frozen=True)
class ClassRule:
    id: str
    user_id: str
    rule_type: RuleType
    classification: MessageClass
    pattern: str
    source: Literal["explicit", "correction"]
    unverified: bool
    created_at: str


@dataclass(frozen=True)
class ClassRules:
    user_id: str
    rules: list[ClassRule]


@dataclass(frozen=True)
class RemovedRules:
    status: Literal["removed"]
    removed: int


@dataclass(frozen=True)
class MemoryItem:
    feedback_id: str
    kind: Literal["spam", "tabs"]
    #: `spam` or `ham`, or a class.
    label: str
    embedding_model: str
    similarity_key: str
    created_at: str
    authenticated_domain: Optional[str] = None
    claimed_domain: Optional[str] = None
    #: First words of the subject, where the operator keeps them.
    subject_words: Optional[str] = None


@dataclass(frozen=True)
class MemoryResult:
    user_id: str
    items: list[MemoryItem]


@dataclass(frozen=True)
class DeletedCounts:
    rules: int
    memory: int
    feedback: int
    history: Optional[int] = None
    correspondents: Optional[int] = None


@dataclass(frozen=True)
class DeletedData:
    status: Literal["deleted"]
    user_id: str
    deleted_at: str
    deleted: DeletedCounts
    #: Rebuilds the models without the user: `request("GET", f"/jobs/{job_id}")`.
    job_id: str


@dataclass(frozen=True)
class Health:
    status: Literal["ok"]


@dataclass(frozen=True)
class EmbedTextResult:
    embedding: Optional[list[float]] = None
    embeddings: Optional[list[list[float]]] = None


Answer = TypeVar("Answer")


def read(kind: Type[Answer], value: Any) -> Answer:
    """
    The JSON `value` as a `kind`, of the types above.

    :raises KeyError, TypeError: for a value that is none.
    """
    result: Answer = _read(kind, value)
    return result


def _read(kind: Any, value: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, dict):
            raise TypeError(f"{kind.__name__} is an object, and not {type(value).__name__}")
        return kind(**_values(kind, value))
    inner = get_args(kind)
    if get_origin(kind) is Union:
        return None if value is None else _read(inner[0], value)
    if get_origin(kind) is list and isinstance(value, list):
        return [_read(inner[0], each) for each in value]
    return value


def _values(kind: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    hints = _hints(kind)
    values = {}
    for field in fields(kind):
        name = camel_case(field.name)
        if name in value or field.default is MISSING:
            values[field.name] = _read(hints[field.name], value[name])
    return values


@lru_cache(maxsize=None)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def camel_case(name: str) -> str:
    """isSpam of is_spam."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
