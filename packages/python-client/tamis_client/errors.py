"""The one error of the client: the service said no, or said nothing."""

from __future__ import annotations

from typing import Optional


class TamisClientError(Exception):
    """
    Match on `code`: the text may change between versions.

    `code` is one of the service's (docs/errors.md) or of three of the client's own. `TIMEOUT`: no whole
    answer within the time limit. `UNREACHABLE`: no connection, or it broke. `ANSWER_INVALID`: the answer is
    not from Tamis: from a proxy, or a wrong address. A correction or a rule may have been recorded all the
    same; to send it again is safe.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        field: Optional[str] = None,
        retry_after_s: Optional[int] = None,
        queue_depth: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        #: HTTP status; None where nobody answered.
        self.status = status
        #: The header or the field of the JSON body that is at fault, where it is one.
        self.field = field
        #: Seconds after which to try again, where the service says so.
        self.retry_after_s = retry_after_s
        #: Requests that wait, where the queue refused one more.
        self.queue_depth = queue_depth
