"""
The HTTP API of Tamis as typed methods; docs/openapi.json has the same names in camelCase.

    with TamisClient("http://127.0.0.1:8025") as tamis:
        verdict = tamis.classify_stream(message, user_id="ann")
        print(verdict.is_spam, verdict.spam_probability)

A failed call raises a TamisClientError. AsyncTamisClient has the same methods for asyncio.
"""

from .answers import (
    ClassRule,
    ClassRules,
    DeletedCounts,
    DeletedData,
    FullResult,
    Health,
    MemoryItem,
    MemoryResult,
    MessageClass,
    MessageSummary,
    Reason,
    ReasonsResult,
    RecipientResult,
    RecipientsResult,
    RemovedFeedback,
    RemovedRules,
    RuleType,
    SpamFeedbackResult,
    SpamRule,
    SpamRules,
    SummaryReason,
    TabsFeedbackResult,
    TabsResult,
    WithdrawnFeedback,
)
from .async_client import AsyncMessageBody, AsyncTamisClient
from .client import MessageBody, TamisClient
from .errors import TamisClientError
from .exchange import BatchResult, CallOptions, Delivery, DirectedDelivery, Hop

__all__ = [
    "AsyncMessageBody",
    "AsyncTamisClient",
    "BatchResult",
    "CallOptions",
    "ClassRule",
    "ClassRules",
    "DeletedCounts",
    "DeletedData",
    "Delivery",
    "DirectedDelivery",
    "FullResult",
    "Health",
    "Hop",
    "MemoryItem",
    "MemoryResult",
    "MessageBody",
    "MessageClass",
    "MessageSummary",
    "Reason",
    "ReasonsResult",
    "RecipientResult",
    "RecipientsResult",
    "RemovedFeedback",
    "RemovedRules",
    "RuleType",
    "SpamFeedbackResult",
    "SpamRule",
    "SpamRules",
    "SummaryReason",
    "TabsFeedbackResult",
    "TabsResult",
    "TamisClient",
    "TamisClientError",
    "WithdrawnFeedback",
]
