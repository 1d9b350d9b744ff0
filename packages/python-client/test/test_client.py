"""
The client against a running service, whose address is in TAMIS_URL: what it answers, and what a server
that is always busy, slow or no Tamis makes of it. client.system.test.ts runs this.
"""

import asyncio
import dataclasses
import http.server
import inspect
import io
import os
import threading
import time
import unittest
from contextlib import contextmanager

import tamis_client
from tamis_client import AsyncTamisClient, TamisClient, TamisClientError, answers
from tamis_client.answers import camel_case

URL = os.environ["TAMIS_URL"]

ORDER = "\r\n".join(
    [
        "From: Shop <orders@shop.example.com>",
        "To: a@example.com",
        "Subject: Your order 4711 has been shipped",
        "Date: Fri, 20 Nov 2026 12:00:00 +0000",
        "Message-ID: <4711@shop.example.com>",
        "",
        "Thank you for your order 4711. It has been shipped today. Total: 30 EUR.",
        "",
    ]
).encode()

PHISHING = "\r\n".join(
    [
        "From: Bank <alert@bank.example.net>",
        "To: a@example.com",
        "Subject: Your account is suspended",
        "Message-ID: <1@bank.example.net>",
        "",
        "Your account is suspended. Confirm your password within 24 hours: http://192.0.2.7/login",
        "",
    ]
).encode()


@contextmanager
def other_server(*answered):
    """A server that answers with each of `answered` in turn, then with the last: status, headers, body, seconds before it."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("content-length", 0))
            asked.append((self.headers, self.rfile.read(length)))
            status, headers, body, pause_s = answered[min(len(asked), len(answered)) - 1]
            time.sleep(pause_s)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


FULL = (503, {"retry-after": "1"}, b'{"error":"Full","code":"QUEUE_FULL","queueDepth":7}', 0)
OK = (200, {}, b'{"status":"ok","andMore":1}', 0)


class ClassificationTest(unittest.TestCase):
    def setUp(self):
        self.tamis = TamisClient(URL)
        self.addCleanup(self.tamis.close)

    def test_gives_the_verdict_on_a_message(self):
        verdict = self.tamis.classify_stream(
            ORDER, sender_ip="192.0.2.25", sender_email="bounce@shop.example.com", user_id="jürgen"
        )
        self.assertEqual(verdict.classification, "transactions")
        self.assertIs(verdict.is_spam, False)
        self.assertIsNone(verdict.bypass_reason)

    def test_takes_a_file_and_whatever_gives_bytes(self):
        whole = self.tamis.classify_stream(ORDER)
        self.assertEqual(self.tamis.classify_stream(io.BytesIO(ORDER)), whole)
        pieces = (ORDER[at : at + 50] for at in range(0, len(ORDER), 50))
        self.assertEqual(self.tamis.classify_stream(pieces), whole)

    def test_raises_what_a_stream_raises(self):
        def broken():
            yield ORDER
            raise OSError("the disk cannot be read")

        with self.assertRaisesRegex(OSError, "the disk cannot be read"):
            self.tamis.classify_stream(broken())

    def test_refuses_text_and_options_that_there_are_not(self):
        with self.assertRaises(TypeError):
            self.tamis.classify_stream(ORDER.decode())
        with self.assertRaisesRegex(TypeError, "userid"):
            self.tamis.classify_stream(ORDER, userid="ann")
        with self.assertRaisesRegex(ValueError, "x-user-id"):
            self.tamis.classify_stream(ORDER, user_id="a\r\nX-Evil: b")

    def test_gives_verdicts_for_recipients_reasons_the_class_and_the_diagnostic(self):
        verdict = self.tamis.classify_stream(ORDER)
        several = self.tamis.classify_stream_recipients(ORDER, user_ids=["bjørn", "ann"])
        self.assertEqual(several.shared, verdict)
        self.assertEqual([each.user_id for each in several.recipients], ["bjørn", "ann"])
        reasons = self.tamis.classify_stream_reasons(ORDER, summary=True)
        self.assertLess(reasons.score, reasons.required_score)
        self.assertEqual(reasons.summary.message_id, "4711@shop.example.com")
        self.assertIsNone(reasons.summary.sentence_in_english)
        with TamisClient(URL, language="es") as in_spanish:
            summary = in_spanish.classify_stream_reasons(ORDER, summary=True).summary
        self.assertIn("límite", summary.sentence)
        self.assertEqual(summary.sentence_in_english, reasons.summary.sentence)
        self.assertEqual(self.tamis.tabs_classify_stream(ORDER).classification, "transactions")
        self.assertFalse(self.tamis.diagnostic_stream(ORDER)["result"]["isSpam"])

    def test_judges_many_in_their_order_and_a_broken_one_harms_no_other(self):
        messages = [ORDER, b"", PHISHING]
        for at_once in (1, 8):
            results = list(self.tamis.classify_all(messages, at_once=at_once))
            self.assertEqual([each.index for each in results], [0, 1, 2])
            self.assertEqual([each.input for each in results], messages)
            self.assertEqual(results[0].verdict, self.tamis.classify_stream(ORDER))
            self.assertEqual(results[1].error.code, "NOT_A_MESSAGE")
            self.assertEqual(results[2].verdict, self.tamis.classify_stream(PHISHING))

    def test_embeds_a_text_and_several(self):
        embedding = self.tamis.embed_text("Your parcel arrives tomorrow")
        self.assertEqual(len(embedding), 384)
        self.assertEqual(self.tamis.embed_texts(["Hello", "Your parcel arrives tomorrow"])[1], embedding)


class CorrectionTest(unittest.TestCase):
    def setUp(self):
        self.tamis = TamisClient(URL)
        self.addCleanup(self.tamis.close)

    def test_corrects_a_verdict_sees_it_changed_and_takes_it_back(self):
        user = "python/a?b=c&d#e%20"
        corrected = self.tamis.feedback_stream(PHISHING, user_id=user, is_spam=False, skip_rule_creation=True)
        self.assertIn(corrected.status, ("success", "personalization_only"))
        self.assertEqual(self.tamis.classify_stream(PHISHING, user_id=user).bypass_reason, "knn_memory")
        items = self.tamis.memory(user).items
        self.assertEqual([(each.feedback_id, each.label) for each in items], [(corrected.feedback_id, "ham")])
        self.assertEqual(self.tamis.remove_feedback(corrected.feedback_id).status, "removed")
        self.assertEqual(self.tamis.memory(user).items, [])
        self.assertEqual(self.tamis.delete_data(user).user_id, user)

    def test_corrects_a_class_and_makes_rules(self):
        filed = self.tamis.tabs_feedback_stream(ORDER, user_id="rules", classification="updates")
        self.assertEqual((filed.status, filed.classification), ("success", "updates"))
        rule = dict(user_id="rules", rule_type="Sender", pattern="b.example")
        self.assertEqual(self.tamis.create_rule(**rule, label="ham").source, "explicit")
        self.assertEqual([each.pattern for each in self.tamis.rules("rules").rules], ["b.example"])
        self.assertEqual(self.tamis.remove_rule(**rule).removed, 1)
        self.tamis.create_tabs_rule(**rule, classification="updates")
        self.assertEqual(self.tamis.tabs_rules("rules").rules[0].classification, "updates")
        self.assertEqual(self.tamis.remove_tabs_rule(**rule).removed, 1)
        blocked = self.tamis.create_rule_stream(PHISHING, user_id="rules", rule_type="Sender", label="spam")
        self.assertEqual(blocked.pattern, "alert@bank.example.net")
        self.assertEqual(self.tamis.withdraw_feedback_stream(PHISHING, user_id="rules").status, "none")
        self.assertEqual(self.tamis.request("GET", "/users?search=rules")["users"][0]["rules"], 1)


class ErrorTest(unittest.TestCase):
    def fails(self, call, code):
        with self.assertRaises(TamisClientError) as raised:
            call()
        self.assertEqual(raised.exception.code, code)
        return raised.exception

    def test_names_code_status_and_what_is_at_fault(self):
        with TamisClient(URL) as tamis:
            error = self.fails(lambda: tamis.classify_stream(ORDER, sender_ip="nowhere"), "HEADER_INVALID")
            self.assertEqual((error.status, error.field), (400, "X-Sender-IP"))
            rule = dict(user_id="a b", rule_type="Sender", label="ham", pattern="a.example")
            self.assertEqual(self.fails(lambda: tamis.create_rule(**rule), "FIELD_INVALID").field, "userId")

    def test_sends_again_what_found_the_service_full_after_the_time_that_it_names(self):
        with other_server(FULL, OK) as (url, asked), TamisClient(url, key="tamis_secret") as tamis:
            started = time.monotonic()
            self.assertEqual(tamis.health().status, "ok")
            self.assertGreaterEqual(time.monotonic() - started, 1)
            self.assertEqual([each["authorization"] for each, _ in asked], ["Bearer tamis_secret"] * 2)

    def test_does_not_wait_longer_than_the_time_limit_nor_with_a_stream_nor_if_told_not_to(self):
        with other_server(FULL) as (url, asked):
            with TamisClient(url) as tamis:
                error = self.fails(lambda: tamis.classify_stream(ORDER, timeout_s=0.5), "QUEUE_FULL")
                self.assertEqual((error.status, error.retry_after_s, error.queue_depth), (503, 1, 7))
                self.fails(lambda: tamis.classify_stream(io.BytesIO(ORDER)), "QUEUE_FULL")
            with TamisClient(url, retry=False) as tamis:
                self.fails(tamis.health, "QUEUE_FULL")
            self.assertEqual(len(asked), 3)

    def test_has_codes_of_its_own_where_tamis_does_not_answer(self):
        with TamisClient("http://127.0.0.1:1") as tamis:
            self.fails(tamis.health, "UNREACHABLE")
        with other_server((200, {}, b"{}", 2)) as (url, _), TamisClient(url) as tamis:
            self.fails(lambda: tamis.health(timeout_s=0.1), "TIMEOUT")
        for status, body in ((502, b"<h1>Bad gateway</h1>"), (200, b"<h1>It works</h1>"), (200, b"[]")):
            with other_server((status, {}, body, 0)) as (url, _), TamisClient(url) as tamis:
                self.fails(tamis.health, "ANSWER_INVALID")

    def test_refuses_addresses_and_limits_that_there_are_not(self):
        for url in ("localhost:8025", "ftp://example.org", "http://ann:secret@example.org", "http://a.example/?b"):
            with self.assertRaises(ValueError):
                TamisClient(url)
        with self.assertRaises(ValueError):
            TamisClient(URL, timeout_s=0)


class AsyncTest(unittest.TestCase):
    def test_judges_retries_and_times_out(self):
        async def pieces():
            yield ORDER[:50]
            yield ORDER[50:]

        async def judge():
            async with AsyncTamisClient(URL) as tamis:
                one = await tamis.classify_stream(ORDER, user_id="jürgen")
                self.assertEqual(await tamis.classify_stream(pieces(), user_id="jürgen"), one)
                results = [each async for each in tamis.classify_all([ORDER, b"", pieces()], at_once=2)]
                self.assertEqual([each.index for each in results], [0, 1, 2])
                self.assertEqual([each.verdict and each.verdict.is_spam for each in results], [False, None, False])
                self.assertEqual(results[1].error.code, "NOT_A_MESSAGE")
                self.assertEqual(len((await tamis.embed_texts(["Hello"]))[0]), 384)

        asyncio.run(judge())

        async def fail(url, **options):
            async with AsyncTamisClient(url) as tamis:
                return await tamis.health(**options)

        with other_server(FULL, OK) as (url, _):
            self.assertEqual(asyncio.run(fail(url)).status, "ok")
        with other_server((200, {}, b"{}", 2)) as (url, _):
            with self.assertRaises(TamisClientError) as raised:
                asyncio.run(fail(url, timeout_s=0.1))
            self.assertEqual(raised.exception.code, "TIMEOUT")

    def test_has_the_same_methods(self):
        def methods(kind):
            found = inspect.getmembers(kind, inspect.isfunction)
            return {name: set(inspect.signature(each).parameters) for name, each in found if name[0] != "_"}

        self.assertEqual(methods(AsyncTamisClient), methods(TamisClient))


class DocumentTest(unittest.TestCase):
    """Nothing here has another name than the service has."""

    def setUp(self):
        with TamisClient(URL) as tamis:
            self.document = tamis.request("GET", "/openapi.json")

    def test_methods_are_operations(self):
        operations = {each["operationId"] for path in self.document["paths"].values() for each in path.values()}
        names = {name for name, _ in inspect.getmembers(TamisClient, inspect.isfunction) if name[0] != "_"}
        of_its_own = {"classify_all", "embed_texts", "request", "close"}
        self.assertEqual({camel_case(name) for name in names - of_its_own} - operations, set())

    def test_answers_have_the_fields_of_their_schemas(self):
        schemas = self.document["components"]["schemas"]
        schemas["RecipientResult"] = schemas["RecipientsResult"]["properties"]["recipients"]["items"]
        schemas["Reason"] = schemas["ReasonsResult"]["properties"]["reasons"]["items"]
        schemas["SummaryReason"] = schemas["MessageSummary"]["properties"]["reasons"]["items"]
        schemas["MemoryItem"] = schemas["MemoryResult"]["properties"]["items"]["items"]
        schemas["DeletedCounts"] = schemas["DeletedData"]["properties"]["deleted"]
        for name, kind in inspect.getmembers(answers, dataclasses.is_dataclass):
            if name[0] == "_":
                continue
            fields = dataclasses.fields(kind)
            self.assertEqual({camel_case(each.name) for each in fields}, set(schemas[name]["properties"]), name)
            required = {camel_case(each.name) for each in fields if each.default is dataclasses.MISSING}
            self.assertEqual(required, set(schemas[name].get("required", [])), name)

    def test_all_that_is_named_is_there(self):
        for name in tamis_client.__all__:
            self.assertTrue(hasattr(tamis_client, name), name)


if __name__ == "__main__":
    unittest.main()
